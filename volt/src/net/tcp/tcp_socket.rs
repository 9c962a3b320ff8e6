//! A TCP socket that is set up before it connects or listens.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
#[cfg(unix)]
use std::os::fd::{AsFd, BorrowedFd};
use std::panic::Location;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};

use super::tcp_listener::TcpListener;
use super::tcp_stream::TcpStream;
use crate::driver::Direction;
use crate::io::with_context;
use crate::net::socket::check_connected;
use crate::runtime::context;
use crate::task::poll_spent;

/// A TCP socket that is neither connected nor listening yet.
///
/// [`TcpStream::connect`] and [`TcpListener::bind`] make one with the settings of most programs. Here it
/// can be set otherwise: an address to connect from, how many connections may wait to be accepted, an
/// address that others listen at too.
///
/// # Examples
///
/// ```
/// use volt::net::TcpSocket;
///
/// volt::block_on(async {
///     let socket = TcpSocket::new_v4()?;
///     socket.set_reuseaddr(true)?;
///     socket.bind("127.0.0.1:0".parse().unwrap())?;
///     let listener = socket.listen(1024)?;
///
///     let socket = TcpSocket::new_v4()?;
///     socket.bind("127.0.0.2:0".parse().unwrap())?;
///     let near = socket.connect(listener.local_addr()?).await?;
///     let (_far, peer) = listener.accept().await?;
///     assert_eq!(peer, near.local_addr()?);
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TcpSocket(Socket);

/// Declares what can be set and asked.
macro_rules! options {
    ($($(#[$attribute:meta])* $Value:ty: $get:ident by $got:ident, $set:ident by $setting:ident;)*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        /// Fails as the system's `getsockopt` does.
        pub fn $get(&self) -> io::Result<$Value> {
            self.0.$got()
        }

        #[doc = concat!("Sets what [`", stringify!($get), "`](Self::", stringify!($get), ") tells.")]
        ///
        /// # Errors
        ///
        /// Fails as the system's `setsockopt` does.
        pub fn $set(&self, value: $Value) -> io::Result<()> {
            self.0.$setting(value)
        }
    )*};
}

impl TcpSocket {
    /// A socket for addresses of version 4.
    ///
    /// # Errors
    ///
    /// Fails as the system's `socket` does.
    pub fn new_v4() -> io::Result<Self> {
        Self::new(Domain::IPV4)
    }

    /// A socket for addresses of version 6.
    ///
    /// # Errors
    ///
    /// Fails as the system's `socket` does.
    pub fn new_v6() -> io::Result<Self> {
        Self::new(Domain::IPV6)
    }

    fn new(domain: Domain) -> io::Result<Self> {
        let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
        socket.set_nonblocking(true)?;
        Ok(Self(socket))
    }

    options! {
        /// Whether an address may be taken where connections of an earlier listener still end.
        bool: reuseaddr by reuse_address, set_reuseaddr by set_reuse_address;
        /// Whether the system now and then asks a silent peer if it is still there.
        bool: keepalive by keepalive, set_keepalive by set_keepalive;
        /// Whether small writes are sent at once.
        bool: nodelay by tcp_nodelay, set_nodelay by set_tcp_nodelay;
        /// How long the system goes on sending when the connection is closed.
        Option<Duration>: linger by linger, set_linger by set_linger;
        /// How much the system keeps of what was written; it may keep more than was asked for.
        usize: send_buffer_size by send_buffer_size, set_send_buffer_size by set_send_buffer_size;
        /// How much the system keeps of what was not read; it may keep more than was asked for.
        usize: recv_buffer_size by recv_buffer_size, set_recv_buffer_size by set_recv_buffer_size;
    }

    #[cfg(all(
        unix,
        not(any(target_os = "solaris", target_os = "illumos", target_os = "cygwin"))
    ))]
    options! {
        /// Whether several sockets may listen at one address, and share what comes in.
        bool: reuseport by reuse_port, set_reuseport by set_reuse_port;
    }

    /// Takes an address to connect from or to listen at; port 0 lets the system choose.
    ///
    /// # Errors
    ///
    /// Fails as the system's `bind` does; the text names the address.
    pub fn bind(&self, address: SocketAddr) -> io::Result<()> {
        let bound = self.0.bind(&address.into());
        bound.map_err(|error| with_context(format_args!("bind {address}"), error))
    }

    /// The address it has.
    ///
    /// # Errors
    ///
    /// Fails as the system's `getsockname` does.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.local_addr()?.as_socket();
        address.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }

    /// Listens, and lets so many connections wait to be accepted, or as many as the system allows.
    ///
    /// # Errors
    ///
    /// Fails as the system's `listen` does, and when the socket cannot be watched.
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn listen(self, backlog: u32) -> io::Result<TcpListener> {
        self.0.listen(i32::try_from(backlog).unwrap_or(i32::MAX))?;
        TcpListener::from_std(self.0.into())
    }

    /// Connects to the address.
    ///
    /// # Errors
    ///
    /// Fails as the system's `connect` does; the text names the address.
    ///
    /// # Panics
    ///
    /// The future panics when it is polled first on a thread that is in no runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the socket.
    #[track_caller]
    pub fn connect(self, address: SocketAddr) -> ConnectSocket {
        ConnectSocket {
            stage: ConnectSocketStage::Unconnected(self.0),
            address,
            made_at: Location::caller(),
        }
    }
}

/// Whether the connection is on its way.
fn is_in_progress(error: &io::Error) -> bool {
    #[cfg(unix)]
    let in_progress = error.raw_os_error() == Some(libc::EINPROGRESS);
    #[cfg(not(unix))]
    let in_progress = error.kind() == io::ErrorKind::WouldBlock;
    in_progress
}

/// The future of [`TcpSocket::connect`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct ConnectSocket {
    stage: ConnectSocketStage,
    address: SocketAddr,
    made_at: &'static Location<'static>,
}

#[derive(Debug)]
enum ConnectSocketStage {
    Unconnected(Socket),
    Connecting(TcpStream),
    Done,
}

impl ConnectSocket {
    #[track_caller]
    fn start_connect(&self, socket: Socket) -> io::Result<TcpStream> {
        let driver = context::driver_for(self.made_at);
        match socket.connect(&self.address.into()) {
            Err(error) if !is_in_progress(&error) => return Err(error),
            _ => {}
        }
        TcpStream::from_mio(driver, mio::net::TcpStream::from_std(socket.into()))
    }

    #[track_caller]
    fn poll_stream(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<TcpStream>> {
        let stream = match std::mem::replace(&mut self.stage, ConnectSocketStage::Done) {
            ConnectSocketStage::Unconnected(socket) => self.start_connect(socket)?,
            ConnectSocketStage::Connecting(stream) => stream,
            ConnectSocketStage::Done => panic!("`ConnectSocket` polled after completion"),
        };
        let polled = stream.io.poll_io(cx, Direction::Write, check_connected);
        if polled.is_pending() {
            self.stage = ConnectSocketStage::Connecting(stream);
            return Poll::Pending;
        }
        ready!(polled)?;
        Poll::Ready(Ok(stream))
    }
}

impl Future for ConnectSocket {
    type Output = io::Result<TcpStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if matches!(self.stage, ConnectSocketStage::Unconnected(_)) {
            // A connection that the system refuses at once is ready without having waited.
            ready!(poll_spent(cx));
        }
        let address = self.address;
        let polled = self.poll_stream(cx);
        polled.map_err(|error| with_context(format_args!("connect to {address}"), error))
    }
}

#[cfg(unix)]
impl AsFd for TcpSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl fmt::Debug for TcpSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpSocket")
            .field("local", &self.local_addr().ok())
            .finish_non_exhaustive()
    }
}
