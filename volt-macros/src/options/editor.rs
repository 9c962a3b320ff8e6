//! Detects an editor that expands the attribute.

use std::path::PathBuf;
use std::sync::OnceLock;

/// Returns `true` if the process is the server by which rust-analyzer expands macros. It needs the
/// types of a machine and no code that runs, so the body stays in the function.
pub(crate) fn is_editor() -> bool {
    static IS_EDITOR: OnceLock<bool> = OnceLock::new();
    *IS_EDITOR.get_or_init(|| std::env::current_exe().is_ok_and(is_analyzer))
}

fn is_analyzer(program: PathBuf) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("rust-analyzer"))
}
