//! The folders in which crates were built, to show paths as `file!` does.
//!
//! Debug information has absolute paths, and the places of spawns and machines have paths that are
//! relative to the folder in which the compiler ran. The same file in both forms shows the folder.

use crate::loom::PerProcess;

/// The folders that were found so far, each with a slash at its end.
static ROOTS: PerProcess<Vec<&'static str>> = PerProcess::new();

/// Finds the folder of an absolute path, if the relative one is its end.
pub(in crate::runtime::dump::by_poll) fn learn_root(absolute: &'static str, relative: &str) {
    if let Some(root) = root_of(absolute, relative) {
        let mut roots = ROOTS.lock();
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
}

/// Returns a path relative to its folder, if the folder is known.
pub(in crate::runtime::dump::by_poll) fn relative_path(path: &'static str) -> &'static str {
    let roots = ROOTS.lock();
    let relative = roots.iter().filter_map(|root| path.strip_prefix(root));
    relative.min_by_key(|rest| rest.len()).unwrap_or(path)
}

fn root_of<'a>(absolute: &'a str, relative: &str) -> Option<&'a str> {
    let root = absolute.strip_suffix(relative)?;
    let is_folder = root.len() > 1 && root.starts_with('/') && root.ends_with('/');
    (is_folder && !relative.is_empty()).then_some(root)
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::{learn_root, relative_path, root_of};

    #[test]
    fn root_is_before_the_relative_path() {
        assert_eq!(root_of("/a/b/src/main.rs", "src/main.rs"), Some("/a/b/"));
        assert_eq!(root_of("/a/b/src/main.rs", "rc/main.rs"), None);
        assert_eq!(root_of("/a/b/src/main.rs", "src/lib.rs"), None);
        assert_eq!(root_of("src/main.rs", "src/main.rs"), None);
        assert_eq!(root_of("/a/src/main.rs", "/a/src/main.rs"), None);
        assert_eq!(root_of("/a/b/", ""), None);
    }

    #[test]
    fn path_in_a_known_root_is_relative() {
        assert_eq!(
            relative_path("/root-of-test/src/a.rs"),
            "/root-of-test/src/a.rs"
        );
        learn_root("/root-of-test/src/b.rs", "src/b.rs");
        assert_eq!(relative_path("/root-of-test/src/a.rs"), "src/a.rs");
    }
}
