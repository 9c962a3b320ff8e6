//! `UdpSocket`: a socket for datagrams over UDP.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll};

use crate::driver::{Direction, DriverHandle, Registration};
use crate::io::{HasRegistration, PollEvented, Readable, Writable};
use crate::net::addr::{AddressCandidates, ToSocketAddrs};
use crate::net::socket::{impl_datagrams, impl_peer, impl_socket};
use crate::runtime::context;

/// A UDP socket.
///
/// All methods take `&self`, so any number of tasks can use one socket at once. The `poll_` methods
/// store one waker for receiving and one for sending, each of the last caller. Each future stores
/// its own waker.
///
/// # Examples
///
/// ```
/// use volt::net::UdpSocket;
///
/// volt::block_on(async {
///     let (near, far) = (UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?);
///     near.send_to(b"ping", far.local_addr()?).await?;
///     let mut buf = [0; 16];
///     let (len, peer) = far.recv_from(&mut buf).await?;
///     assert_eq!((&buf[..len], peer), (&b"ping"[..], near.local_addr()?));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct UdpSocket {
    pub(in crate::net) io: PollEvented<mio::net::UdpSocket>,
}

impl UdpSocket {
    /// Binds a socket to the first address that can be bound. With port 0, the system chooses a
    /// port.
    ///
    /// Names are looked up during this call, which blocks the thread.
    /// [`lookup_host`](fn@crate::net::lookup_host) does not block it.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no address. If no address can be bound, returns the error of
    /// the last one, and the message names that address.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn bind<A>(address: A) -> io::Result<Self>
    where
        A: ToSocketAddrs,
    {
        let driver = context::driver();
        AddressCandidates::resolve(address)?.open_first("bind", |address| {
            Self::from_mio(driver.clone(), mio::net::UdpSocket::bind(address)?)
        })
    }

    fn from_mio(driver: DriverHandle, socket: mio::net::UdpSocket) -> io::Result<Self> {
        let io = PollEvented::socket(driver, socket)?;
        Ok(Self { io })
    }

    /// Sets the peer of [`send`](Self::send). The socket then receives datagrams from this peer
    /// only.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `connect` fails.
    pub fn connect(&self, peer: SocketAddr) -> io::Result<()> {
        self.io.get().connect(peer)
    }

    /// Reads the next datagram without removing it from the queue.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`recv_from`](Self::recv_from).
    pub fn poll_peek_from(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<(usize, SocketAddr)>> {
        self.io
            .poll_io(cx, Direction::Read, |socket| socket.peek_from(buf))
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
        target: SocketAddr,
    ) -> Poll<io::Result<usize>> {
        self.io
            .poll_io(cx, Direction::Write, |socket| socket.send_to(buf, target))
    }

    /// Receives a datagram that has already arrived.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`recv_from`](Self::recv_from), and [`io::ErrorKind::WouldBlock`] if
    /// none has arrived.
    pub fn try_recv_from(&self, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.io
            .try_io(Direction::Read, |socket| socket.recv_from(buf))
    }

    /// Sends a datagram if the system has room for it now.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`send_to`](Self::send_to), and [`io::ErrorKind::WouldBlock`] if there
    /// is no room.
    pub fn try_send_to(&self, buf: &[u8], target: SocketAddr) -> io::Result<usize> {
        self.io
            .try_io(Direction::Write, |socket| socket.send_to(buf, target))
    }

    /// Waits until a datagram may have arrived. Only a receive operation shows whether one has.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until a datagram may be sent. Only a send operation shows whether it can.
    ///
    /// # Errors
    ///
    /// Returns an error if the runtime has shut down.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
    }
}

impl_socket!(
    UdpSocket,
    SocketAddr,
    std::net::UdpSocket,
    mio::net::UdpSocket
);
impl_peer!(UdpSocket, SocketAddr);
impl_datagrams!(
    UdpSocket,
    SocketAddr,
    mio::net::UdpSocket,
    SocketAddr,
    |socket: &mio::net::UdpSocket, buf: &[u8], target: &SocketAddr| socket.send_to(buf, *target)
);

#[expect(private_interfaces, reason = "the trait has them too")]
impl HasRegistration for UdpSocket {
    fn registration(&self) -> &Registration {
        self.io.registration()
    }
}

impl fmt::Debug for UdpSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UdpSocket")
            .field("local", &self.local_addr().ok())
            .finish_non_exhaustive()
    }
}
