//! A TCP connection.

use std::fmt;
use std::io;
use std::task::{Context, Poll};

use crate::driver::{Direction, DriverHandle};
use crate::io::PollEvented;
use crate::net::socket::{impl_peer, impl_socket, impl_stream};

/// A connection between this socket and a peer's.
///
/// Everything works on `&self`: any number of tasks may use one stream at once. The `poll_`
/// methods keep one waker for reading and one for writing, that of the last caller; the futures
/// (`read`, `write_all`, …) each keep their own.
///
/// Dropping it closes the connection.
pub struct TcpStream {
    pub(in crate::net) io: PollEvented<mio::net::TcpStream>,
}

impl TcpStream {
    pub(super) fn from_mio(driver: DriverHandle, stream: mio::net::TcpStream) -> io::Result<Self> {
        let io = PollEvented::new(driver, stream)?;
        Ok(Self { io })
    }

    /// Reads into the buffer what stays in the stream for the next read.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
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
