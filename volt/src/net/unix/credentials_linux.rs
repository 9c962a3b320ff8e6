//! Who is at the other end of a Unix socket, as Linux tells.

use std::io;

use rustix::net::sockopt::socket_peercred;

use super::unix_stream::UnixStream;

/// Whom a peer of a Unix socket belongs to; see [`UnixStream::peer_cred`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerCredentials {
    user: u32,
    group: u32,
    process: i32,
}

impl PeerCredentials {
    /// The user that the peer ran as when it connected.
    #[must_use]
    pub fn uid(self) -> u32 {
        self.user
    }

    /// The group that the peer ran as when it connected.
    #[must_use]
    pub fn gid(self) -> u32 {
        self.group
    }

    /// The process that connected. It may be gone by now, and its number another one's.
    #[must_use]
    pub fn pid(self) -> i32 {
        self.process
    }
}

impl UnixStream {
    /// Who is at the other end: the user, group and process that connected, or listened. Linux alone
    /// has it so.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn peer_cred(&self) -> io::Result<PeerCredentials> {
        let peer = socket_peercred(self)?;
        Ok(PeerCredentials {
            user: peer.uid.as_raw(),
            group: peer.gid.as_raw(),
            process: peer.pid.as_raw_nonzero().get(),
        })
    }
}
