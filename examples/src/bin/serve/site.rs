//! The files that are served, by the path of their address.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The entry at an address.
#[derive(Debug)]
pub(crate) struct Entry {
    /// As it was found, to be named.
    pub(crate) path: PathBuf,
    /// Where it leads, without a link on the way, if it is a file.
    pub(crate) file: PathBuf,
    pub(crate) kind: Kind,
}

/// The kind of an entry. Only files are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    /// A pipe, a socket, a device, or a link to a folder: to open it might wait for ever.
    Special,
    /// A link to a file outside of the folder that was named.
    Outside,
    /// A link to nothing.
    Dangling,
}

impl Kind {
    /// The status of what is not served.
    pub(crate) fn refusal(self) -> Option<&'static str> {
        match self {
            Self::File => None,
            Self::Special | Self::Outside => Some("403 Forbidden"),
            Self::Dangling => Some("404 Not Found"),
        }
    }
}

/// The named files, sorted by address.
#[derive(Debug, Default)]
pub(crate) struct Site {
    entries: BTreeMap<String, Entry>,
}

/// A path that can't be served.
#[derive(Debug)]
pub(crate) struct SiteError {
    path: PathBuf,
    cause: io::Error,
}

impl std::fmt::Display for SiteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot serve {}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for SiteError {}

impl Site {
    /// Collects `paths`. A folder adds all files below it.
    ///
    /// Other entries are collected too, to be refused. Every file is opened once, so that a missing
    /// or forbidden file is reported before the first client requests it.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, SiteError> {
        let mut site = Self::default();
        for root in paths {
            for entry in WalkDir::new(root).sort_by_file_name() {
                let entry = entry.map_err(|error| SiteError {
                    path: error.path().unwrap_or(root).to_owned(),
                    cause: error.into(),
                })?;
                if !entry.file_type().is_dir() {
                    site.add(root, entry.into_path())?;
                }
            }
        }
        Ok(site)
    }

    fn add(&mut self, root: &Path, path: PathBuf) -> Result<(), SiteError> {
        let (kind, file) = match examine(root, &path) {
            Ok(found) => found,
            Err(cause) => return Err(SiteError { path, cause }),
        };
        let address = address(root, &path);
        if let Some(other) = self.entries.get(&address) {
            let text = format!("{} has the same address, {address}", other.path.display());
            let cause = io::Error::new(io::ErrorKind::AlreadyExists, text);
            return Err(SiteError { path, cause });
        }
        self.entries.insert(address, Entry { path, file, kind });
        Ok(())
    }

    /// Returns the entry at `address`.
    pub(crate) fn entry(&self, address: &str) -> Option<&Entry> {
        self.entries.get(address)
    }

    /// Lists the addresses that have a file, and the files.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Path)> {
        let files = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.kind == Kind::File);
        files.map(|(address, entry)| (address.as_str(), entry.path.as_path()))
    }

    /// Lists the addresses that are refused, each with its status.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let entries = self.entries.iter();
        entries.filter_map(|(address, entry)| Some((address.as_str(), entry.kind.refusal()?)))
    }

    /// Returns `true` if there is no file to serve.
    pub(crate) fn is_empty(&self) -> bool {
        self.files().next().is_none()
    }
}

/// Reads a file to which no link led when the site was opened; nor must one do so now.
pub(crate) fn read(file: &Path) -> io::Result<Vec<u8>> {
    if fs::canonicalize(file)? == file {
        fs::read(file)
    } else {
        Err(io::Error::other("it is a link by now"))
    }
}

/// Returns the kind of the entry at `path`, and its real path. Only a file is opened, because
/// opening a pipe waits for its writer. A file that was named itself may be a link to anywhere.
fn examine(root: &Path, path: &Path) -> io::Result<(Kind, PathBuf)> {
    let unknown = |kind| Ok((kind, PathBuf::new()));
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {
            let file = fs::canonicalize(path)?;
            if !file.starts_with(fs::canonicalize(root)?) {
                return unknown(Kind::Outside);
            }
            fs::File::open(&file)?;
            Ok((Kind::File, file))
        }
        Ok(_) => unknown(Kind::Special),
        Err(error) if fs::symlink_metadata(path).is_ok_and(|link| link.is_symlink()) => {
            match error.kind() {
                io::ErrorKind::PermissionDenied => Err(error),
                // Also a circle of links, which leads nowhere either.
                _ => unknown(Kind::Dangling),
            }
        }
        Err(error) => Err(error),
    }
}

/// The address of `path`: below `root` if that is a folder, else its bare name.
fn address(root: &Path, path: &Path) -> String {
    let below = match path.strip_prefix(root) {
        Ok(below) if !below.as_os_str().is_empty() => below,
        _ => Path::new(path.file_name().unwrap_or_default()),
    };
    let parts: Vec<_> = below
        .iter()
        .map(|part| encode(&part.to_string_lossy()))
        .collect();
    format!("/{}", parts.join("/"))
}

/// Writes what an address may not hold as `%XX`.
fn encode(part: &str) -> String {
    let mut encoded = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
