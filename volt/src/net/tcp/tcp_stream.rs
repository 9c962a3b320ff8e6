//! `TcpStream`: a TCP connection.

use std::fmt;
use std::io;
use std::task::{Context, Poll};

use crate::driver::{Direction, DriverHandle};
use crate::io::PollEvented;
use crate::net::socket::{impl_peer, impl_socket, impl_stream};

/// A TCP connection between a local socket and the socket of a peer.
///
/// All methods take `&self`, so any number of tasks can use one stream at once. The `poll_` methods
/// store one waker for reads and one for writes, each of the last caller. Each future, such as
/// `read` or `write_all`, stores its own waker.
///
/// A drop closes the connection.
pub struct TcpStream {
    pub(in crate::net) io: PollEvented<mio::net::TcpStream>,
}

impl TcpStream {
    pub(super) fn from_mio(driver: DriverHandle, stream: mio::net::TcpStream) -> io::Result<Self> {
        let io = PollEvented::socket(driver, stream)?;
        Ok(Self { io })
    }

    /// Reads into the buffer without removing the bytes from the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`poll_read`](Self::poll_read).
    pub fn poll_peek(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        self.io
            .poll_io(cx, Direction::Read, |stream| stream.peek(buf))
    }
}

impl_socket!(
    TcpStream,
    std::net::SocketAddr,
    std::net::TcpStream,
    mio::net::TcpStream
);
impl_peer!(TcpStream, std::net::SocketAddr);
impl_stream!(TcpStream);

impl fmt::Debug for TcpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpStream")
            .field("local", &self.local_addr().ok())
            .field("peer", &self.peer_addr().ok())
            .finish_non_exhaustive()
    }
}
