//! Datagrams of the Unix domain.

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
    pub(in crate::net) io: PollEvented<mio::net::UnixDatagram>,
}

impl UnixDatagram {
    /// Takes the path, where nothing may be yet. On Linux a path that begins with a zero byte is an
    /// abstract name, here and in the other methods.
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
        let socket =
            unix_names::address(path).and_then(|it| mio::net::UnixDatagram::bind_addr(&it));
        let shown = unix_names::display_name(path);
        let socket = socket.map_err(|error| with_context(format_args!("bind {shown}"), error))?;
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
        let io = PollEvented::new(driver, socket)?;
        Ok(Self { io })
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
        let (socket, path) = (self.io.get(), path.as_ref());
        match unix_names::abstract_name(path) {
            Some(_) => SockRef::from(socket).connect(&SockAddr::unix(path)?),
            None => socket.connect(path),
        }
    }

    /// As [`UdpSocket::send_to`](crate::net::UdpSocket::send_to).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn send_to<'a, P>(&'a self, buf: &'a [u8], target: P) -> SendTo<'a, Self, PathBuf, P>
    where
        P: AsRef<Path>,
    {
        SendTo::new(self, buf, target.as_ref().to_owned(), target)
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
            .poll_io(cx, Direction::Write, |it| send_to(it, buf, target))
    }

    /// Ends one half of the socket, or both.
    ///
    /// # Errors
    ///
    /// Fails as the system's `shutdown` does.
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

/// Sends to a path, which may be an abstract name.
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
