//! The program that expands the attribute.

use std::path::PathBuf;
use std::sync::OnceLock;

/// Returns `true` if the process is the server by which rust-analyzer expands macros. It needs the
/// types of a machine and no code that runs, so the body stays in the function.
pub(crate) fn is_editor() -> bool {
    static IS_EDITOR: OnceLock<bool> = OnceLock::new();
    *IS_EDITOR.get_or_init(|| std::env::current_exe().is_ok_and(|it| is_named(it, "rust-analyzer")))
}

/// Returns `true` if the process is rustdoc. It shows the items of the expansion.
pub(crate) fn is_rustdoc() -> bool {
    static IS_RUSTDOC: OnceLock<bool> = OnceLock::new();
    *IS_RUSTDOC.get_or_init(|| std::env::current_exe().is_ok_and(|it| is_named(it, "rustdoc")))
}

fn is_named(program: PathBuf, start: &str) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(start))
}
