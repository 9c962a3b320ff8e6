//! Detects rustdoc, which expands the attribute to show its items.

use std::sync::OnceLock;

/// Returns `true` if the process is rustdoc.
pub(crate) fn is_rustdoc() -> bool {
    static IS_RUSTDOC: OnceLock<bool> = OnceLock::new();
    *IS_RUSTDOC.get_or_init(|| {
        let program = std::env::current_exe();
        program.is_ok_and(|program| program.file_stem().is_some_and(|name| name == "rustdoc"))
    })
}
