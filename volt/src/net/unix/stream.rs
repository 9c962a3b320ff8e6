//! A connection of the Unix domain.

use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::os::unix::net::SocketAddr;
use std::task::{Context, Poll};

use crate::driver::{Direction, DriverHandle};
use crate::io::{Readable, Watched, Writable};
use crate::net::owned::{self, OwnedReadHalf, OwnedWriteHalf};
use crate::net::read::{Read, ReadExact};
use crate::net::split::{self, ReadHalf, WriteHalf};
use crate::net::transport::{Transport as _, impl_transport};
use crate::net::write::{Write, WriteAll};
use crate::runtime::context;

/// A connection between two sockets of the Unix domain.
///
/// It is used as a [`TcpStream`](crate::net::TcpStream) is, and its futures are the same.
///
/// # Examples
///
/// ```
/// use volt::net::UnixStream;
///
/// volt::block_on(async {
///     let (near, far) = UnixStream::pair()?;
///     near.write_all(b"ping").await?;
///     let mut buf = [0; 4];
///     far.read_exact(&mut buf).await?;
///     assert_eq!(&buf, b"ping");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct UnixStream {
    pub(in crate::net) io: Watched<mio::net::UnixStream>,
}

impl UnixStream {
    pub(super) fn from_mio(driver: DriverHandle, stream: mio::net::UnixStream) -> io::Result<Self> {
        let io = Watched::new(driver, stream)?;
        // A read ends where a descriptor or the peer's credentials were passed.
        io.registration().source().expect_marks();
        Ok(Self { io })
    }

    /// Two sockets that are connected to each other and have no names.
    ///
    /// # Errors
    ///
    /// Fails as the system's `socketpair` does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn pair() -> io::Result<(Self, Self)> {
        let driver = context::driver();
        let (near, far) = mio::net::UnixStream::pair()?;
        let near = Self::from_mio(driver.clone(), near)?;
        Ok((near, Self::from_mio(driver, far)?))
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
    pub fn from_std(stream: std::os::unix::net::UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Self::from_mio(context::driver(), mio::net::UnixStream::from_std(stream))
    }

    /// Gives the connection to the standard library, which then blocks.
    ///
    /// # Errors
    ///
    /// Fails when the socket cannot be set to block.
    pub fn into_std(self) -> io::Result<std::os::unix::net::UnixStream> {
        let stream = std::os::unix::net::UnixStream::from(self.io.into_inner());
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    /// As [`TcpStream::read`](crate::net::TcpStream::read).
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
    pub fn read<'a>(&'a self, buf: &'a mut [u8]) -> Read<'a, Self> {
        Read::new(self, buf)
    }

    /// As [`TcpStream::read_exact`](crate::net::TcpStream::read_exact).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn read_exact<'a>(&'a self, buf: &'a mut [u8]) -> ReadExact<'a, Self> {
        ReadExact::new(self, buf)
    }

    /// As [`TcpStream::write`](crate::net::TcpStream::write).
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write).
    pub fn write<'a>(&'a self, buf: &'a [u8]) -> Write<'a, Self> {
        Write::new(self, buf)
    }

    /// As [`TcpStream::write_all`](crate::net::TcpStream::write_all).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn write_all<'a>(&'a self, buf: &'a [u8]) -> WriteAll<'a, Self> {
        WriteAll::new(self, buf)
    }

    /// As [`TcpStream::readable`](crate::net::TcpStream::readable).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// As [`TcpStream::writable`](crate::net::TcpStream::writable).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
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

    /// Ends the half that is written; the peer reads the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as [`shutdown`](Self::shutdown) does, but not when the peer has ended the connection
    /// already.
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
    /// As [`poll_read`](Self::poll_read), and with [`io::ErrorKind::WouldBlock`] when nothing is
    /// there.
    pub fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        self.io.try_read(buf)
    }

    /// Writes what there is room for now.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write), and with [`io::ErrorKind::WouldBlock`] when there is
    /// no room.
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

    /// Lends the stream as two halves; see [`TcpStream::split`](crate::net::TcpStream::split).
    pub fn split(&mut self) -> (ReadHalf<'_, Self>, WriteHalf<'_, Self>) {
        split::split(self)
    }

    /// Takes the stream apart into two halves; see
    /// [`TcpStream::into_split`](crate::net::TcpStream::into_split).
    #[must_use]
    pub fn into_split(self) -> (OwnedReadHalf<Self>, OwnedWriteHalf<Self>) {
        owned::into_split(self)
    }

    /// The name of this end, if it has one.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockname` does.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.io.get().local_addr()
    }

    /// The name of the peer, if it has one.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getpeername` does.
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

impl_transport!(UnixStream);

impl fmt::Debug for UnixStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixStream")
            .field("local", &self.local_addr().ok())
            .field("peer", &self.peer_addr().ok())
            .finish_non_exhaustive()
    }
}

impl AsFd for UnixStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.io.get().as_fd()
    }
}

impl AsRawFd for UnixStream {
    fn as_raw_fd(&self) -> RawFd {
        self.io.get().as_raw_fd()
    }
}
