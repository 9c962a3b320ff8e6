//! The origins of sources, and the working copy.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use walkdir::{DirEntry, WalkDir};

use crate::command::text_of;
use crate::context::{Context, Outcome};

/// The time limit of each `git`, `tar` or `cargo` command.
const LIMIT: Duration = Duration::from_secs(900);

/// The origin of the sources, from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A folder with a crate or a workspace, a checkout, or a bare git directory.
    Folder(PathBuf),
    /// The address of a git repository.
    Git(String),
    /// A crate of the registry, by name and version.
    Registry(String, String),
}

impl Origin {
    /// A name for the work folder: the last part of the path or address.
    pub(crate) fn name(&self) -> String {
        let name = match self {
            Origin::Folder(path) => {
                let whole = || path.canonicalize().unwrap_or_default();
                let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
                let name = name(path).or_else(|| name(&whole()));
                name.unwrap_or_else(|| "crate".to_owned())
            }
            Origin::Git(url) => url.rsplit(['/', ':']).next().unwrap_or("crate").to_owned(),
            Origin::Registry(name, version) => format!("{name}-{version}"),
        };
        name.trim_end_matches(".git").to_owned()
    }
}

/// A copy that may be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    /// The folder of the selected manifest.
    pub(crate) start: PathBuf,
    pub(crate) commit: Option<String>,
}

/// Replaces `root` with a new copy of `origin`.
///
/// `revision` is the revision to copy from a repository without a checkout. `inside` overrides the
/// folder in the copy whose manifest is selected.
pub(crate) fn copy(
    origin: &Origin,
    root: &Path,
    revision: &str,
    inside: Option<&Path>,
) -> Outcome<Tree> {
    if root.exists() {
        fs::remove_dir_all(root).context(|| format!("removing {}", root.display()))?;
    }
    fs::create_dir_all(root).context(|| format!("making {}", root.display()))?;
    let (below, commit) = match origin {
        Origin::Folder(path) if is_bare(path) => {
            (PathBuf::new(), Some(unpack(path, root, revision)?))
        }
        Origin::Folder(path) => {
            // Nothing is copied if the folder is wrong.
            if !has_manifest(path) {
                check_manifest(&path.join(inside.unwrap_or(Path::new(""))))?;
            }
            folder(path, root)?
        }
        Origin::Git(url) => {
            let bare = root.with_extension("git");
            clone(url, &bare)?;
            (PathBuf::new(), Some(unpack(&bare, root, revision)?))
        }
        Origin::Registry(name, version) => {
            copy_folder(&of_registry(name, version, root)?, root)?;
            (PathBuf::new(), None)
        }
    };
    let start = root.join(inside.unwrap_or(&below));
    check_manifest(&start)?;
    let root = root
        .canonicalize()
        .context(|| format!("finding {}", root.display()))?;
    let start = start
        .canonicalize()
        .context(|| format!("finding {}", start.display()))?;
    Ok(Tree {
        root,
        start,
        commit,
    })
}

fn has_manifest(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file()
}

fn check_manifest(folder: &Path) -> Outcome<()> {
    if has_manifest(folder) {
        return Ok(());
    }
    Err(format!(
        "there is no Cargo.toml in {}: name the folder with one by --in FOLDER",
        folder.display()
    ))
}

/// Returns `true` for a git directory without a checkout.
fn is_bare(path: &Path) -> bool {
    path.join("HEAD").is_file() && path.join("objects").is_dir()
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    command
}

fn commit_of(repository: &Path, revision: &str) -> Outcome<String> {
    let commit = format!("{revision}^{{commit}}");
    let text = text_of(
        git(repository).args(["rev-parse", "--verify", &commit]),
        LIMIT,
    )?;
    Ok(text.trim().to_owned())
}

/// Writes the files of a revision to `root` with the current time as their modification time, by
/// which cargo detects changes.
fn unpack(repository: &Path, root: &Path, revision: &str) -> Outcome<String> {
    let commit = commit_of(repository, revision)?;
    let archive = root.with_extension("tar");
    let mut pack = git(repository);
    pack.args(["archive", "--format=tar", "-o"])
        .arg(&archive)
        .arg(&commit);
    text_of(&mut pack, LIMIT)?;
    let mut tar = Command::new("tar");
    tar.arg("-xmf").arg(&archive).arg("-C").arg(root);
    text_of(&mut tar, LIMIT)?;
    fs::remove_file(&archive).context(|| format!("removing {}", archive.display()))?;
    Ok(commit)
}

fn clone(url: &str, bare: &Path) -> Outcome<()> {
    if !bare.exists() {
        let mut command = Command::new("git");
        command.args(["clone", "--bare", "--quiet", url]).arg(bare);
        text_of(&mut command, LIMIT)?;
    }
    Ok(())
}

/// Copies the checkout or workspace that contains `path`. Returns the root of the copy, and the
/// relative path.
fn folder(path: &Path, root: &Path) -> Outcome<(PathBuf, Option<String>)> {
    let path = path
        .canonicalize()
        .context(|| format!("finding {}", path.display()))?;
    let (top, commit) = match checkout(&path) {
        Some(top) => {
            let commit = commit_of(&top, "HEAD").ok();
            (top, commit)
        }
        None if has_manifest(&path) => (workspace(&path)?, None),
        None => (path.clone(), commit_of(&path, "HEAD").ok()),
    };
    copy_folder(&top, root)?;
    let below = path
        .strip_prefix(&top)
        .map(Path::to_owned)
        .unwrap_or_default();
    Ok((below, commit))
}

/// The checkout that holds `path` among its files.
fn checkout(path: &Path) -> Option<PathBuf> {
    let manifest = path.join("Cargo.toml");
    text_of(
        git(path)
            .args(["ls-files", "--error-unmatch"])
            .arg(manifest),
        LIMIT,
    )
    .ok()?;
    let top = text_of(git(path).args(["rev-parse", "--show-toplevel"]), LIMIT).ok()?;
    Some(PathBuf::from(top.trim()))
}

fn workspace(path: &Path) -> Outcome<PathBuf> {
    let mut command = Command::new("cargo");
    command.args(["locate-project", "--workspace", "--message-format", "plain"]);
    command.arg("--manifest-path").arg(path.join("Cargo.toml"));
    let manifest = PathBuf::from(text_of(&mut command, LIMIT)?.trim());
    let folder = manifest.parent().map(Path::to_owned);
    Ok(folder.unwrap_or_else(|| path.to_owned()))
}

fn copy_folder(from: &Path, to: &Path) -> Outcome<()> {
    for entry in WalkDir::new(from).into_iter().filter_entry(is_wanted) {
        let entry = entry.context(|| format!("reading {}", from.display()))?;
        let below = entry.path().strip_prefix(from).unwrap_or(entry.path());
        let target = to.join(below);
        let doing = || format!("copying {}", entry.path().display());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target).context(doing)?;
        } else if entry.file_type().is_symlink() {
            link(entry.path(), &target).context(doing)?;
        } else {
            let bytes = fs::read(entry.path()).context(doing)?;
            fs::write(&target, bytes).context(doing)?;
        }
    }
    Ok(())
}

/// Returns `false` for `.git` and for build directories, which have a `CACHEDIR.TAG`.
fn is_wanted(entry: &DirEntry) -> bool {
    let built = entry.file_type().is_dir() && entry.path().join("CACHEDIR.TAG").is_file();
    entry.file_name() != ".git" && !built
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::copy(from, to).map(|_| ())
}

/// Returns the folder in which cargo stores the sources of a published crate.
fn of_registry(name: &str, version: &str, root: &Path) -> Outcome<PathBuf> {
    let fetch_project = root.with_extension("fetch");
    let source = fetch_project.join("src");
    fs::create_dir_all(&source).context(|| format!("making {}", source.display()))?;
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{name} = {{ version = \"={version}\", default-features = false }}\n\n[workspace]\n"
    );
    let doing = || format!("writing to {}", fetch_project.display());
    fs::write(fetch_project.join("Cargo.toml"), manifest).context(doing)?;
    fs::write(source.join("lib.rs"), "//! Nothing.\n").context(doing)?;
    let mut command = Command::new("cargo");
    command.args(["metadata", "--format-version", "1", "--manifest-path"]);
    let text = text_of(command.arg(fetch_project.join("Cargo.toml")), LIMIT)?;
    let value: serde_json::Value =
        serde_json::from_str(&text).context(|| "reading metadata".to_owned())?;
    let packages = value["packages"].as_array().into_iter().flatten();
    let mut wanted =
        packages.filter(|package| package["name"] == name && package["version"] == version);
    let manifest = wanted
        .next()
        .and_then(|package| package["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    let folder = folder.map(Path::to_owned);
    folder.ok_or_else(|| format!("cargo has no sources of {name} {version}"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{Origin, copy};

    #[test]
    fn work_folder_is_named_for_the_origin() {
        let names = [
            Origin::Folder(PathBuf::from("a/b.git")).name(),
            Origin::Git("a.example:x/y.git".to_owned()).name(),
            Origin::Registry("b".to_owned(), "1.0.0".to_owned()).name(),
        ];
        assert_eq!(names, ["b", "y", "b-1.0.0"]);
    }

    #[test]
    fn folder_without_manifest_needs_one_inside() {
        let base = std::env::temp_dir().join(format!("volt-origin-{}", std::process::id()));
        let (from, to) = (base.join("from"), base.join("to"));
        fs::create_dir_all(from.join("part")).expect("a folder");
        fs::write(from.join("part/Cargo.toml"), "").expect("a file");
        let origin = Origin::Folder(from);
        let of = |inside: Option<&str>| copy(&origin, &to, "HEAD", inside.map(Path::new));
        let error = of(None).expect_err("it has no Cargo.toml");
        assert!(error.contains("by --in FOLDER"), "{error}");
        let tree = of(Some("part")).expect("a copy");
        assert_eq!(tree.start, tree.root.join("part"));
        fs::remove_dir_all(&base).expect("the folder is removed");
    }
}
