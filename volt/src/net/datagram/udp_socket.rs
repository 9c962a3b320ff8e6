//! UDP.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll};

use crate::driver::{Direction, DriverHandle, Registration};
use crate::io::{HasRegistration, PollEvented, Readable, Writable};
use crate::net::addr::{AddressCandidates, ToSocketAddrs};
use crate::net::socket::{impl_datagrams, impl_peer, impl_socket};
use crate::runtime::context;

/// A socket for datagrams over UDP.
///
/// Everything works on `&self`: any number of tasks may use one socket at once. The `poll_`
/// methods keep one waker for receiving and one for sending, that of the last caller; the futures
/// each keep their own.
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
    /// Takes the first of the addresses that can be had; port 0 lets the system choose.
    ///
    /// Names are looked up in this call, which blocks the thread;
    /// [`lookup_host`](fn@crate::net::lookup_host) does so elsewhere.
    ///
    /// # Errors
    ///
    /// Fails when there is no address, or with the error that the last one met; the text names
    /// it.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
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
        let io = PollEvented::new(driver, socket)?;
        Ok(Self { io })
    }

    /// Sets the peer that [`send`](Self::send) sends to, from which alone it receives from now on.
    ///
    /// # Errors
    ///
    /// Fails as the system's `connect` does.
    pub fn connect(&self, peer: SocketAddr) -> io::Result<()> {
        self.io.get().connect(peer)
    }

    /// Looks at the next datagram, which stays for the next call.
    ///
    /// # Errors
    ///
    /// As [`recv_from`](Self::recv_from).
    pub fn poll_peek_from(
        &self,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<(usize, SocketAddr)>> {
        self.io.poll_io(cx, Direction::Read, |it| it.peek_from(buf))
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
        target: SocketAddr,
    ) -> Poll<io::Result<usize>> {
        self.io
            .poll_io(cx, Direction::Write, |it| it.send_to(buf, target))
    }

    /// Receives a datagram that has come already.
    ///
    /// # Errors
    ///
    /// As [`recv_from`](Self::recv_from), and with [`io::ErrorKind::WouldBlock`] when none has.
    pub fn try_recv_from(&self, buf: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.io.try_io(Direction::Read, |it| it.recv_from(buf))
    }

    /// Sends a datagram if there is room for it now.
    ///
    /// # Errors
    ///
    /// As [`send_to`](Self::send_to), and with [`io::ErrorKind::WouldBlock`] when there is not.
    pub fn try_send_to(&self, buf: &[u8], target: SocketAddr) -> io::Result<usize> {
        self.io
            .try_io(Direction::Write, |it| it.send_to(buf, target))
    }

    /// Waits until a datagram may have come; only receiving tells whether one has.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until a datagram may be sent; only sending tells whether it can.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
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

#[expect(private_interfaces, reason = "as the trait")]
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
