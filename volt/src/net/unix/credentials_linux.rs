//! Credentials of the peer of a Unix socket on Linux.

use std::io;
use std::mem::size_of;
use std::num::NonZeroI32;
use std::os::fd::{AsFd, AsRawFd};

use super::unix_stream::UnixStream;

/// Credentials of the peer of a Unix socket; see [`UnixStream::peer_cred`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerCredentials {
    user: u32,
    group: u32,
    process: Option<NonZeroI32>,
}

impl PeerCredentials {
    /// Returns the user of the peer at the time of its connect.
    #[must_use]
    pub fn uid(self) -> u32 {
        self.user
    }

    /// Returns the group of the peer at the time of its connect.
    #[must_use]
    pub fn gid(self) -> u32 {
        self.group
    }

    /// Returns the process that connected. It may have ended, and its number may now belong to
    /// another process.
    ///
    /// Returns `None` if the process has no number in the process namespace of the caller, for
    /// example a client outside of the server's container.
    #[must_use]
    pub fn pid(self) -> Option<i32> {
        self.process.map(NonZeroI32::get)
    }
}

impl UnixStream {
    /// Returns the user, group and process of the peer at the time of its `connect` or `listen`.
    /// Only Linux reports them.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockopt` fails.
    pub fn peer_cred(&self) -> io::Result<PeerCredentials> {
        let peer = socket_peercred(self)?;
        Ok(PeerCredentials {
            user: peer.uid,
            group: peer.gid,
            process: NonZeroI32::new(peer.pid),
        })
    }
}

/// Calls the C library, because the type of rustix has no value for a process that is not visible.
fn socket_peercred(socket: &impl AsFd) -> io::Result<libc::ucred> {
    let mut peer = libc::ucred {
        pid: 0,
        uid: libc::uid_t::MAX,
        gid: libc::gid_t::MAX,
    };
    let mut len = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: `peer` and `len` are valid for writes during the call, `len` is the size of `peer`,
    // and every bit pattern is a valid `ucred`.
    let failed = unsafe {
        libc::getsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            &raw mut len,
        )
    };
    match failed {
        0 => Ok(peer),
        _ => Err(io::Error::last_os_error()),
    }
}
