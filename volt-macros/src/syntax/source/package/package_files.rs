//! The source files of a package.

use std::path::{Path, PathBuf};

/// Returns the source files of the package that contains a file, up to a limit.
pub(super) fn package_files(file: &Path, limit: usize) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    if let Some(folder) = package_folder(file) {
        collect(folder, &mut paths, limit);
    }
    paths
}

/// Returns the folder of the package that contains a file. A file without a package has its own
/// folder.
pub(super) fn package_folder(file: &Path) -> Option<&Path> {
    let has_manifest = |path: &&Path| path.join("Cargo.toml").exists();
    let mut folders = file.ancestors().skip(1);
    folders.find(has_manifest).or(file.parent())
}

/// The files of a folder, and of the folders in it.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>, limit: usize) {
    // The compiler names the files of a package by relative paths, and its folder may be the
    // current one.
    let current = folder.as_os_str().is_empty().then(|| Path::new("."));
    let Ok(entries) = std::fs::read_dir(current.unwrap_or(folder)) else {
        return;
    };
    let entries = entries
        .flatten()
        .map(|entry| folder.join(entry.file_name()));
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    for path in entries {
        if paths.len() == limit {
            return;
        }
        if path.is_dir() {
            // A folder with a manifest is another package.
            if !path.ends_with("target") && !path.join("Cargo.toml").exists() {
                collect(&path, paths, limit);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_in_the_current_folder_is_read() {
        // The package need not have this file.
        let file = Path::new("src/lib.rs");
        assert_eq!(package_folder(file), Some(Path::new("")));
        let files = package_files(file, 3000);
        assert!(files.iter().any(|path| path.starts_with("src")));
    }
}
