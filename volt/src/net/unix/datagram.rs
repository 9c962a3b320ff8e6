//! Datagrams of the Unix domain.

use std::fmt;
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::task::{Context, Poll};

use crate::driver::{Direction, DriverHandle};
use crate::io::{Watched, attempted};
use crate::net::datagram::{Datagrams, Recv, RecvFrom, SendConnected, SendTo};
use crate::runtime::context;

/// A socket for datagrams of the Unix domain.
///
/// It is used as a [`UdpSocket`](crate::net::UdpSocket) is; its addresses are paths.
///
/// # Examples
///
/// ```
/// use volt::net::UnixDatagram;
///
/// volt::block_on(async {
///     let (near, far) = UnixDatagram::pair()?;
///     near.send(b"ping").await?;
///     let mut buf = [0; 16];
///     let len = far.recv(&mut buf).await?;
///     assert_eq!(&buf[..len], b"ping");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct UnixDatagram {
    pub(in crate::net) io: Watched<mio::net::UnixDatagram>,
}

impl UnixDatagram {
    /// Takes the path, where nothing may be yet.
    ///
    /// # Errors
    ///
    /// Fails as the system's `bind` does; the text names the path.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn bind<P>(path: P) -> io::Result<Self>
    where
        P: AsRef<Path>,
    {
        let (driver, path) = (context::driver(), path.as_ref());
        let socket = mio::net::UnixDatagram::bind(path)
            .map_err(|error| attempted(format_args!("bind {}", path.display()), error))?;
        Self::from_mio(driver, socket)
    }

    /// A socket without a name, which can only send.
    ///
    /// # Errors
    ///
    /// Fails as the system's `socket` does.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn unbound() -> io::Result<Self> {
        Self::from_mio(context::driver(), mio::net::UnixDatagram::unbound()?)
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
        let (near, far) = mio::net::UnixDatagram::pair()?;
        let near = Self::from_mio(driver.clone(), near)?;
        Ok((near, Self::from_mio(driver, far)?))
    }

    fn from_mio(driver: DriverHandle, socket: mio::net::UnixDatagram) -> io::Result<Self> {
        let io = Watched::new(driver, socket)?;
        Ok(Self { io })
    }

    /// Takes over a socket of the standard library.
    ///
    /// # Errors
    ///
    /// Fails when the socket cannot be set not to block, or cannot be watched.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn from_std(socket: std::os::unix::net::UnixDatagram) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Self::from_mio(context::driver(), mio::net::UnixDatagram::from_std(socket))
    }

    /// Gives the socket to the standard library, which then blocks.
    ///
    /// # Errors
    ///
    /// Fails when the socket cannot be set to block.
    pub fn into_std(self) -> io::Result<std::os::unix::net::UnixDatagram> {
        let socket = std::os::unix::net::UnixDatagram::from(self.io.into_inner());
        socket.set_nonblocking(false)?;
        Ok(socket)
    }

    /// Sets the peer that [`send`](Self::send) sends to.
    ///
    /// # Errors
    ///
    /// Fails as the system's `connect` does.
    pub fn connect<P>(&self, path: P) -> io::Result<()>
    where
        P: AsRef<Path>,
    {
        self.io.get().connect(path)
    }

    /// As [`UdpSocket::recv`](crate::net::UdpSocket::recv).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn recv<'a>(&'a self, buf: &'a mut [u8]) -> Recv<'a, Self> {
        Recv::new(self, buf)
    }

    /// As [`UdpSocket::recv_from`](crate::net::UdpSocket::recv_from).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn recv_from<'a>(&'a self, buf: &'a mut [u8]) -> RecvFrom<'a, Self> {
        RecvFrom::new(self, buf)
    }

    /// As [`UdpSocket::send`](crate::net::UdpSocket::send).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn send<'a>(&'a self, buf: &'a [u8]) -> SendConnected<'a, Self> {
        SendConnected::new(self, buf)
    }

    /// As [`UdpSocket::send_to`](crate::net::UdpSocket::send_to).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn send_to<'a, P>(&'a self, buf: &'a [u8], target: P) -> SendTo<'a, Self, PathBuf>
    where
        P: AsRef<Path>,
    {
        SendTo::new(self, buf, target.as_ref().to_owned())
    }

    /// Does what [`recv`](Self::recv) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_recv(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        self.io.poll_io(cx, Direction::Read, |it| it.recv(buf))
    }

    /// Does what [`recv_from`](Self::recv_from) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_recv_from(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<(usize, SocketAddr)>> {
        self.io.poll_io(cx, Direction::Read, |it| it.recv_from(buf))
    }

    /// Does what [`send`](Self::send) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_send(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.io.poll_io(cx, Direction::Write, |it| it.send(buf))
    }

    /// Does what [`send_to`](Self::send_to) does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn poll_send_to(
        &self,
        cx: &mut Context<'_>,
        buf: &[u8],
        target: &Path,
    ) -> Poll<io::Result<usize>> {
        self.io
            .poll_io(cx, Direction::Write, |it| it.send_to(buf, target))
    }

    /// Ends one half of the socket, or both.
    ///
    /// # Errors
    ///
    /// Fails as the system's `shutdown` does.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.io.get().shutdown(how)
    }

    /// The name it has, if it has one.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockname` does.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.io.get().local_addr()
    }

    /// The name of the peer it is connected to, if it has one.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getpeername` does: also when it is not connected.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.io.get().peer_addr()
    }
}

#[expect(private_interfaces, reason = "as the trait")]
impl Datagrams for UnixDatagram {
    type Descriptor = mio::net::UnixDatagram;
    type Source = SocketAddr;
    type Target = PathBuf;

    fn io(&self) -> &Watched<Self::Descriptor> {
        &self.io
    }

    fn recv(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<usize> {
        socket.recv(buf)
    }

    fn recv_from(socket: &Self::Descriptor, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        socket.recv_from(buf)
    }

    fn send(socket: &Self::Descriptor, buf: &[u8]) -> io::Result<usize> {
        socket.send(buf)
    }

    fn send_to(socket: &Self::Descriptor, buf: &[u8], target: &PathBuf) -> io::Result<usize> {
        socket.send_to(buf, target)
    }
}

impl fmt::Debug for UnixDatagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixDatagram")
            .field("local", &self.local_addr().ok())
            .finish_non_exhaustive()
    }
}

impl AsFd for UnixDatagram {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.io.get().as_fd()
    }
}

impl AsRawFd for UnixDatagram {
    fn as_raw_fd(&self) -> RawFd {
        self.io.get().as_raw_fd()
    }
}
