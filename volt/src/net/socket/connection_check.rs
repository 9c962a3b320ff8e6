//! Whether a connection stands.

use std::io;

/// What is asked of a socket that connects.
pub(in crate::net) trait ConnectingSocket {
    fn take_error(&self) -> io::Result<Option<io::Error>>;

    /// Asks for the peer's address, which only a connected socket has.
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

/// Whether the connection stands, has failed, or would be waited for.
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
