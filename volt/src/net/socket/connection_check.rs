//! The check that a connection is established.

use std::io;

/// The system calls on a socket that is connecting.
pub(in crate::net) trait ConnectingSocket {
    fn take_error(&self) -> io::Result<Option<io::Error>>;

    /// Queries the address of the peer, which only a connected socket has.
    fn check_peer(&self) -> io::Result<()>;
}

impl ConnectingSocket for mio::net::TcpStream {
    fn take_error(&self) -> io::Result<Option<io::Error>> {
        self.take_error()
    }

    fn check_peer(&self) -> io::Result<()> {
        self.peer_addr().map(drop)
    }
}

#[cfg(unix)]
impl ConnectingSocket for mio::net::UnixStream {
    fn take_error(&self) -> io::Result<Option<io::Error>> {
        self.take_error()
    }

    fn check_peer(&self) -> io::Result<()> {
        self.peer_addr().map(drop)
    }
}

/// Checks that the connection is established.
///
/// # Errors
///
/// Returns the error of the connection, and `WouldBlock` while it is in progress.
pub(in crate::net) fn check_connected(socket: &impl ConnectingSocket) -> io::Result<()> {
    if let Some(error) = socket.take_error()? {
        return Err(error);
    }
    match socket.check_peer() {
        Err(error) if error.kind() == io::ErrorKind::NotConnected => {
            Err(io::ErrorKind::WouldBlock.into())
        }
        connected => connected,
    }
}
