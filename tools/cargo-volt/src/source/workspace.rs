//! The packages of a workspace, and their sources.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;
use walkdir::{DirEntry, WalkDir};

use crate::context::{Context, Outcome};
use crate::paths::{cleaned, shown};
use crate::scan::{Found, scan};

/// A member of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) manifest: PathBuf,
    pub(crate) has_library: bool,
}

impl Package {
    pub(crate) fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(&self.manifest)
    }
}

/// Returns the root of the workspace and the selected packages, from cargo's metadata.
///
/// Without `wanted`, they are the package at `start`, or all members if it is the root.
pub(crate) fn packages(
    metadata: &str,
    start: &Path,
    wanted: &[String],
    unwanted: &[String],
) -> Outcome<(PathBuf, Vec<Package>)> {
    let value: Value = serde_json::from_str(metadata).context(|| "reading metadata".to_owned())?;
    let root = PathBuf::from(value["workspace_root"].as_str().unwrap_or_default());
    let mut members: Vec<_> = value["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(package)
        .collect();
    members.sort_by(|a, b| a.manifest.cmp(&b.manifest));
    if let Some(missing) = wanted
        .iter()
        .find(|name| !members.iter().any(|one| one.name == **name))
    {
        return Err(format!("the workspace has no package `{missing}`"));
    }
    let at_start = start.join("Cargo.toml");
    members.retain(|one| {
        let is_selected = match wanted {
            [] => start == root || one.manifest == at_start,
            names => names.contains(&one.name),
        };
        is_selected && !unwanted.contains(&one.name)
    });
    if members.is_empty() {
        return Err(format!("{} has no selected package", start.display()));
    }
    Ok((root, members))
}

fn package(value: &Value) -> Option<Package> {
    let targets = value["targets"].as_array().into_iter().flatten();
    let mut kinds = targets.flat_map(|target| target["kind"].as_array().into_iter().flatten());
    Some(Package {
        id: value["id"].as_str()?.to_owned(),
        name: value["name"].as_str()?.to_owned(),
        version: value["version"].as_str()?.to_owned(),
        manifest: PathBuf::from(value["manifest_path"].as_str()?),
        has_library: kinds.any(|kind| {
            let kind = kind.as_str().unwrap_or_default();
            kind.ends_with("lib") || kind == "proc-macro"
        }),
    })
}

/// A file of a package.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The path from the root of the copy.
    pub(crate) shown: String,
    /// The package, as an index.
    pub(crate) package: usize,
    pub(crate) text: String,
    pub(crate) found: Found,
}

/// The files of the packages, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub(crate) files: Vec<Source>,
    /// The files that are no Rust, with the reason.
    pub(crate) unread: Vec<(String, String)>,
}

/// Reads the files of all packages.
pub(crate) fn sources(packages: &[Package], root: &Path) -> Outcome<Sources> {
    let mut sources = Sources::default();
    for (index, package) in packages.iter().enumerate() {
        for entry in WalkDir::new(package.folder())
            .sort_by_file_name()
            .into_iter()
            .filter_entry(is_own)
        {
            let entry = entry.context(|| format!("reading {}", package.folder().display()))?;
            let is_rust = entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "rs");
            if is_rust && entry.file_type().is_file() {
                sources.add(entry.path(), index, root)?;
            }
        }
    }
    Ok(sources)
}

impl Sources {
    fn add(&mut self, path: &Path, package: usize, root: &Path) -> Outcome<()> {
        let bytes = fs::read(path).context(|| format!("reading {}", path.display()))?;
        let shown = shown(path, root);
        let read = String::from_utf8(bytes).map_err(|error| error.to_string());
        let scanned = read.and_then(|text| match scan(&text) {
            Ok(found) => Ok((text, found)),
            Err(error) => Err(format!("line {}: {error}", error.span().start().line)),
        });
        match scanned {
            Ok((text, found)) => self.files.push(Source {
                path: path.to_owned(),
                shown,
                package,
                text,
                found,
            }),
            Err(error) => self.unread.push((shown, error)),
        }
        Ok(())
    }
}

/// Returns `true` if the entry is not in a nested package, and not hidden.
fn is_own(entry: &DirEntry) -> bool {
    let is_below = entry.depth() > 0;
    let hidden = entry.file_name().to_string_lossy().starts_with('.');
    let other = entry.path().join("Cargo.toml").is_file();
    let built = entry.path().join("CACHEDIR.TAG").is_file();
    !(is_below && (hidden || other || built))
}

/// The sources that the compiler has read since then, by the `.d` files beside what it made.
pub(crate) fn compiled(target: &Path, root: &Path, since: SystemTime) -> HashSet<PathBuf> {
    let folders = ["debug/deps", "debug/examples"].map(|name| target.join(name));
    let entries = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok());
    let notes = entries.flatten().flatten().filter(|entry| {
        let path = entry.path();
        let changed = entry.metadata().and_then(|data| data.modified());
        let is_new = changed.is_ok_and(|changed| changed >= since);
        is_new && path.extension().is_some_and(|extension| extension == "d")
    });
    let texts = notes.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    texts.flat_map(|text| inputs(&text, root)).collect()
}

fn inputs(text: &str, root: &Path) -> Vec<PathBuf> {
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    let names = lines.flat_map(|(_, inputs)| {
        let whole = inputs.replace("\\ ", "\0");
        let names = whole.split(' ').map(|name| name.replace('\0', " "));
        names.collect::<Vec<_>>()
    });
    names.map(|name| cleaned(&root.join(name))).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::{inputs, packages};

    fn names(start: &str, wanted: &[&str], unwanted: &[&str]) -> Result<Vec<String>, String> {
        let member = |name: &str, folder: &str| {
            let manifest = format!("{folder}/Cargo.toml");
            json!({ "id": name, "name": name, "version": "1.0.0", "manifest_path": manifest, "targets": [] })
        };
        let metadata = json!({
            "workspace_root": "/w",
            "packages": [member("b", "/w/b"), member("a", "/w")],
        });
        let own = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let found = packages(
            &metadata.to_string(),
            Path::new(start),
            &own(wanted),
            &own(unwanted),
        );
        found.map(|(_, members)| members.into_iter().map(|one| one.name).collect())
    }

    #[test]
    fn root_means_all_members_and_a_folder_its_package() {
        assert_eq!(names("/w", &[], &[]).expect("members"), ["a", "b"]);
        assert_eq!(names("/w/b", &[], &[]).expect("a member"), ["b"]);
        assert_eq!(names("/w/b", &["a"], &[]).expect("a member"), ["a"]);
        assert_eq!(names("/w", &[], &["a"]).expect("a member"), ["b"]);
    }

    #[test]
    fn missing_package_is_named() {
        let error = names("/w", &["c"], &[]).expect_err("no such package");
        assert_eq!(error, "the workspace has no package `c`");
    }

    #[test]
    fn inputs_are_read_with_their_blanks() {
        let text = "/t/a.d: src/lib.rs src/a\\ b.rs /x/c.rs\n\nsrc/lib.rs:\n# env-dep:A\n";
        let paths = inputs(text, Path::new("/w"));
        let expected = ["/w/src/lib.rs", "/w/src/a b.rs", "/x/c.rs"].map(std::path::PathBuf::from);
        assert_eq!(paths, expected);
    }
}
