//! Paths, made comparable without asking the file system.

use std::path::{Component, Path, PathBuf};

/// The path without `.` and, where a folder precedes it, without `..`.
pub(crate) fn cleaned(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if cleaned.file_name().is_some() => {
                cleaned.pop();
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// The path as seen from `root`, with `/` between its parts.
pub(crate) fn shown(path: &Path, root: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{cleaned, shown};

    #[test]
    fn dots_are_resolved_by_the_text() {
        let path = cleaned(Path::new("/a/./b/../c/d.rs"));
        assert_eq!(path, Path::new("/a/c/d.rs"));
    }

    #[test]
    fn path_outside_the_root_is_shown_whole() {
        assert_eq!(shown(Path::new("/a/b.rs"), Path::new("/a")), "b.rs");
        assert_eq!(shown(Path::new("/c/b.rs"), Path::new("/a")), "/c/b.rs");
    }
}
