//! The files that are served, by the path of their address.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The files, sorted by address.
#[derive(Debug, Default)]
pub(crate) struct Site {
    files: BTreeMap<String, PathBuf>,
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
    /// Collects `paths`; a folder stands for all files below it.
    ///
    /// Every file is opened once, so that what is missing or forbidden is said before the first
    /// client asks for it.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, SiteError> {
        let mut site = Self::default();
        for root in paths {
            for entry in WalkDir::new(root).sort_by_file_name() {
                let entry = entry.map_err(|error| SiteError {
                    path: error.path().unwrap_or(root).to_owned(),
                    cause: error.into(),
                })?;
                if entry.file_type().is_file() {
                    site.add(root, entry.into_path())?;
                }
            }
        }
        Ok(site)
    }

    fn add(&mut self, root: &Path, path: PathBuf) -> Result<(), SiteError> {
        if let Err(cause) = fs::File::open(&path) {
            return Err(SiteError { path, cause });
        }
        let address = address(root, &path);
        if let Some(other) = self.files.get(&address) {
            let text = format!("{} has the same address, {address}", other.display());
            let cause = io::Error::new(io::ErrorKind::AlreadyExists, text);
            return Err(SiteError { path, cause });
        }
        self.files.insert(address, path);
        Ok(())
    }

    /// Returns the file behind `address`.
    pub(crate) fn file(&self, address: &str) -> Option<&Path> {
        self.files.get(address).map(PathBuf::as_path)
    }

    /// Lists addresses and files.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.files.iter().map(|(a, p)| (a.as_str(), p.as_path()))
    }

    /// Whether there is nothing to serve.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// How many files there are.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
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
