//! `SocketFile`: the file of a Unix socket, which only the user of the process can open.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use socket2::{Domain, SockAddr, Socket, Type};

/// The file of a listening Unix socket. It is removed when this is dropped.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    /// The device and the inode of the file. Another server may have replaced the file.
    identity: (u64, u64),
}

/// The number of connections that wait to be accepted.
const BACKLOG: i32 = 16;

impl SocketFile {
    /// Binds a socket to a new file at the path. A file without a listener is replaced.
    pub(super) fn bind(path: PathBuf) -> io::Result<(Self, Socket)> {
        let address = SockAddr::unix(&path)?;
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
        if let Err(error) = socket.bind(&address) {
            if error.kind() != io::ErrorKind::AddrInUse || !is_abandoned(&path) {
                return Err(error);
            }
            fs::remove_file(&path)?;
            socket.bind(&address)?;
        }
        // The socket does not listen yet, so no other user can connect before the mode is set.
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let identity = identity(&fs::symlink_metadata(&path)?);
        let file = Self { path, identity };
        socket.listen(BACKLOG)?;
        Ok((file, socket))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns `true` if the file is a socket without a listener: its process has ended.
fn is_abandoned(path: &Path) -> bool {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    is_socket && UnixStream::connect(path).is_err_and(refused)
}

fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let current = fs::symlink_metadata(&self.path);
        if current.is_ok_and(|file| identity(&file) == self.identity) {
            // The path may be in a folder that has become read-only. The file is abandoned then.
            let _ = fs::remove_file(&self.path);
        }
    }
}
