//! A TCP connection.

use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::net::{Shutdown, SocketAddr};
#[cfg(unix)]
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::task::{Context, Poll};

use super::transport::{Transport as _, impl_transport};
use crate::driver::{Direction, DriverHandle};
use crate::io::Watched;
use crate::runtime::context;

/// A connection between this socket and a peer's.
///
/// Everything works on `&self`: any number of tasks may use one stream at once. The `poll_`
/// methods keep one waker for reading and one for writing, that of the last caller; the futures
/// (`read`, `write_all`, …) each keep their own.
///
/// Dropping it closes the connection.
pub struct TcpStream {
    pub(super) io: Watched<mio::net::TcpStream>,
}

impl TcpStream {
    pub(super) fn from_mio(driver: DriverHandle, stream: mio::net::TcpStream) -> io::Result<Self> {
        let io = Watched::new(driver, stream)?;
        Ok(Self { io })
    }

    /// Takes over a connection of the standard library.
    ///
    /// # Errors
    ///
    /// Fails when the socket cannot be set not to block, or cannot be watched.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn from_std(stream: std::net::TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Self::from_mio(context::driver(), mio::net::TcpStream::from_std(stream))
    }

    /// Gives the connection to the standard library, which then blocks.
    ///
    /// # Errors
    ///
    /// Fails when the socket cannot be set to block.
    pub fn into_std(self) -> io::Result<std::net::TcpStream> {
        let stream = std::net::TcpStream::from(self.io.into_inner());
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    /// Reads into the buffer and returns how many bytes came; zero is the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as the system's `recv` does, or when the runtime has shut down.
    pub fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        self.io.poll_read(cx, buf)
    }

    /// Reads into several buffers, one after the other.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
    pub fn poll_read_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        self.io.poll_read_vectored(cx, bufs)
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

    /// Writes from the buffer and returns how many bytes went.
    ///
    /// # Errors
    ///
    /// Fails as the system's `send` does, or when the runtime has shut down.
    pub fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.io.poll_write(cx, buf)
    }

    /// Writes from several buffers, one after the other.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write).
    pub fn poll_write_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.io.poll_write_vectored(cx, bufs)
    }

    /// Does nothing: what was written is the system's already.
    ///
    /// # Errors
    ///
    /// It does not fail.
    pub fn poll_flush(&self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Ends the half that is written; the peer reads the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as [`shutdown`](Self::shutdown) does, but not when the peer has ended the
    /// connection already.
    pub fn poll_close(&self, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.close())
    }

    /// Waits until a read may succeed; only a read tells whether it does.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.poll_ready(cx, Direction::Read)
    }

    /// Waits until a write may succeed; only a write tells whether it does.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn poll_writable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.poll_ready(cx, Direction::Write)
    }

    /// Reads what is there now.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read), and with [`io::ErrorKind::WouldBlock`] when nothing
    /// is there.
    pub fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.io.try_read(buf)
    }

    /// Writes what there is room for now.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write), and with [`io::ErrorKind::WouldBlock`] when there
    /// is no room.
    pub fn try_write(&self, buf: &[u8]) -> io::Result<usize> {
        self.io.try_write(buf)
    }

    /// Ends one half of the connection, or both.
    ///
    /// # Errors
    ///
    /// Fails as the system's `shutdown` does.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.io.get().shutdown(how)
    }

    /// The address of this end.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockname` does.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.io.get().local_addr()
    }

    /// The address of the peer.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getpeername` does, also when the peer has reset the connection.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.io.get().peer_addr()
    }

    /// Takes the error that the socket has met, if it has met one.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockopt` does.
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        self.io.get().take_error()
    }
}

impl_transport!(TcpStream);

impl fmt::Debug for TcpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpStream")
            .field("local", &self.local_addr().ok())
            .field("peer", &self.peer_addr().ok())
            .finish_non_exhaustive()
    }
}

#[cfg(unix)]
impl AsFd for TcpStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.io.get().as_fd()
    }
}

#[cfg(unix)]
impl AsRawFd for TcpStream {
    fn as_raw_fd(&self) -> RawFd {
        self.io.get().as_raw_fd()
    }
}
