//! `UnixDatagram`: a Unix socket for datagrams.

use std::fmt;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::task::{Context, Poll};

use socket2::{SockAddr, SockRef};

use super::unix_names;
use crate::driver::{Direction, DriverHandle};
use crate::io::{PollEvented, with_context};
use crate::net::datagram::SendTo;
use crate::net::socket::impl_datagrams;
use crate::net::socket::{impl_peer, impl_socket};
use crate::runtime::context;

/// A Unix socket for datagrams.
///
/// It has the methods of a [`UdpSocket`](crate::net::UdpSocket). Its addresses are paths.
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
    pub(in crate::net) io: PollEvented<mio::net::UnixDatagram>,
}

impl UnixDatagram {
    /// Binds a socket to the path, which must not exist. In all methods, a path that begins with a
    /// zero byte is an abstract name on Linux.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `bind` fails. The message names the path.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn bind<P>(path: P) -> io::Result<Self>
    where
        P: AsRef<Path>,
    {
        let (driver, path) = (context::driver(), path.as_ref());
        let socket = unix_names::address(path)
            .and_then(|address| mio::net::UnixDatagram::bind_addr(&address));
        let shown = unix_names::display_name(path);
        let socket = socket.map_err(|error| with_context(format_args!("bind {shown}"), error))?;
        Self::from_mio(driver, socket)
    }

    /// Creates a socket without a name, which can only send.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `socket` fails.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn unbound() -> io::Result<Self> {
        Self::from_mio(context::driver(), mio::net::UnixDatagram::unbound()?)
    }

    /// Creates two connected sockets without names.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `socketpair` fails.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn pair() -> io::Result<(Self, Self)> {
        let driver = context::driver();
        let (near, far) = mio::net::UnixDatagram::pair()?;
        let near = Self::from_mio(driver.clone(), near)?;
        Ok((near, Self::from_mio(driver, far)?))
    }

    fn from_mio(driver: DriverHandle, socket: mio::net::UnixDatagram) -> io::Result<Self> {
        let io = PollEvented::socket(driver, socket)?;
        Ok(Self { io })
    }

    /// Sets the peer of [`send`](Self::send).
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `connect` fails.
    pub fn connect<P>(&self, path: P) -> io::Result<()>
    where
        P: AsRef<Path>,
    {
        let (socket, path) = (self.io.get(), path.as_ref());
        match unix_names::abstract_name(path) {
            Some(_) => SockRef::from(socket).connect(&SockAddr::unix(path)?),
            None => socket.connect(path),
        }
    }

    /// Sends a datagram to a path.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`UdpSocket::send_to`](crate::net::UdpSocket::send_to).
    pub fn send_to<'a, P>(&'a self, buf: &'a [u8], target: P) -> SendTo<'a, Self, PathBuf, P>
    where
        P: AsRef<Path>,
    {
        SendTo::new(self, buf, target.as_ref().to_owned(), target)
    }

    /// Polls for the operation of [`send_to`](Self::send_to). The waker of the last caller is
    /// stored.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`send_to`](Self::send_to).
    pub fn poll_send_to(
        &self,
        cx: &mut Context<'_>,
        buf: &[u8],
        target: &Path,
    ) -> Poll<io::Result<usize>> {
        self.io
            .poll_io(cx, Direction::Write, |socket| send_to(socket, buf, target))
    }

    /// Shuts down one half of the socket, or both.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `shutdown` fails.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.io.get().shutdown(how)
    }
}

impl_socket!(
    UnixDatagram,
    SocketAddr,
    std::os::unix::net::UnixDatagram,
    mio::net::UnixDatagram
);
impl_peer!(UnixDatagram, SocketAddr);
impl_datagrams!(
    UnixDatagram,
    SocketAddr,
    mio::net::UnixDatagram,
    PathBuf,
    send_to
);

/// Sends to a path or an abstract name.
pub(super) fn send_to(
    socket: &mio::net::UnixDatagram,
    buf: &[u8],
    target: &Path,
) -> io::Result<usize> {
    match unix_names::abstract_name(target) {
        Some(_) => SockRef::from(socket).send_to(buf, &SockAddr::unix(target)?),
        None => socket.send_to(buf, target),
    }
}

impl fmt::Debug for UnixDatagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnixDatagram")
            .field("local", &self.local_addr().ok())
            .finish_non_exhaustive()
    }
}
