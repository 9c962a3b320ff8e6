//! Names of Unix sockets: paths, and the abstract names of Linux.
//!
//! A path that begins with a zero byte, which no file can have, is an abstract name: the bytes
//! after it.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Returns the abstract name if the path is one.
pub(super) fn abstract_name(path: &Path) -> Option<&[u8]> {
    let name = path.as_os_str().as_bytes().strip_prefix(&[0]);
    name.filter(|_| cfg!(any(target_os = "linux", target_os = "android")))
}

/// Converts a path to an address.
///
/// # Errors
///
/// Returns an error if the path is too long or contains a zero byte after the first byte.
pub(super) fn address(path: &Path) -> io::Result<SocketAddr> {
    match abstract_name(path) {
        Some(name) => from_abstract_name(name),
        None => SocketAddr::from_pathname(path),
    }
}

#[cfg(target_os = "android")]
use std::os::android::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;

#[cfg(any(target_os = "linux", target_os = "android"))]
fn from_abstract_name(name: &[u8]) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn from_abstract_name(_: &[u8]) -> io::Result<SocketAddr> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Converts an address to a path. The path of an unnamed socket is empty.
pub(super) fn path(address: &SocketAddr) -> PathBuf {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Some(name) = address.as_abstract_name() {
        return OsStr::from_bytes(&[&[0], name].concat()).into();
    }
    address
        .as_pathname()
        .map(Path::to_owned)
        .unwrap_or_default()
}

/// Returns the text of a path for messages. An abstract name begins with `@`.
pub(super) fn display_name(path: &Path) -> impl fmt::Display {
    match abstract_name(path) {
        Some(name) => format!("@{}", OsStr::from_bytes(name).display()),
        None => path.display().to_string(),
    }
}
