//! `TcpSocket`: a TCP socket that is configured before it connects or listens.

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
use volt_inspect::{Inspect, Inspector, register, registrable};

use super::tcp_listener::TcpListener;
use super::tcp_stream::TcpStream;
use crate::driver::Direction;
use crate::io::with_context;
use crate::net::socket::{SocketWait, check_connected};
use crate::runtime::context;
use crate::task::poll_spent;

/// A TCP socket that is not yet connected or listening.
///
/// [`TcpStream::connect`] and [`TcpListener::bind`] use the settings of most programs. This type
/// has further settings, such as the local address of a connection, the length of the accept queue,
/// or an address that several listeners share.
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

/// Declares a getter and a setter for each option.
macro_rules! options {
    ($($(#[$attribute:meta])* $Value:ty: $get:ident by $got:ident, $set:ident by $setting:ident;)*) => {$(
        $(#[$attribute])*
        ///
        /// # Errors
        ///
        /// Returns an error if the system call `getsockopt` fails.
        pub fn $get(&self) -> io::Result<$Value> {
            self.0.$got()
        }

        #[doc = concat!("Sets the value of [`", stringify!($get), "`](Self::", stringify!($get), ").")]
        ///
        /// # Errors
        ///
        /// Returns an error if the system call `setsockopt` fails.
        pub fn $set(&self, value: $Value) -> io::Result<()> {
            self.0.$setting(value)
        }
    )*};
}

impl TcpSocket {
    /// Creates a socket for IPv4 addresses.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `socket` fails.
    pub fn new_v4() -> io::Result<Self> {
        Self::new(Domain::IPV4)
    }

    /// Creates a socket for IPv6 addresses.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `socket` fails.
    pub fn new_v6() -> io::Result<Self> {
        Self::new(Domain::IPV6)
    }

    fn new(domain: Domain) -> io::Result<Self> {
        let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
        socket.set_nonblocking(true)?;
        Ok(Self(socket))
    }

    options! {
        /// Returns `true` if an address can be bound while connections of an earlier listener are
        /// closing.
        bool: reuseaddr by reuse_address, set_reuseaddr by set_reuse_address;
        /// Returns `true` if the system sends keep-alive probes to a silent peer.
        bool: keepalive by keepalive, set_keepalive by set_keepalive;
        /// Returns `true` if small writes are sent at once.
        bool: nodelay by tcp_nodelay, set_nodelay by set_tcp_nodelay;
        /// Returns how long a close waits for unsent bytes. With `None`, the system sends them in
        /// the background.
        Option<Duration>: linger by linger, set_linger by set_linger;
        /// Returns the size of the send buffer, in bytes. The system may choose a larger size than
        /// requested.
        usize: send_buffer_size by send_buffer_size, set_send_buffer_size by set_send_buffer_size;
        /// Returns the size of the receive buffer, in bytes. The system may choose a larger size
        /// than requested.
        usize: recv_buffer_size by recv_buffer_size, set_recv_buffer_size by set_recv_buffer_size;
    }

    #[cfg(all(
        unix,
        not(any(target_os = "solaris", target_os = "illumos", target_os = "cygwin"))
    ))]
    options! {
        /// Returns `true` if several sockets can listen at one address and share its connections.
        bool: reuseport by reuse_port, set_reuseport by set_reuse_port;
    }

    /// Binds the socket to a local address. With port 0, the system chooses a port.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `bind` fails. The message names the address.
    pub fn bind(&self, address: SocketAddr) -> io::Result<()> {
        let bound = self.0.bind(&address.into());
        bound.map_err(|error| with_context(format_args!("bind {address}"), error))
    }

    /// Returns the local address.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `getsockname` fails.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.local_addr()?.as_socket();
        address.ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }

    /// Listens for connections. `backlog` limits the connections that wait for `accept`, and the
    /// system may lower it.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `listen` fails, or if the driver cannot watch the
    /// socket.
    ///
    /// # Panics
    ///
    /// Panics if called outside a volt runtime.
    #[track_caller]
    pub fn listen(self, backlog: u32) -> io::Result<TcpListener> {
        self.0.listen(i32::try_from(backlog).unwrap_or(i32::MAX))?;
        TcpListener::from_std(self.0.into())
    }

    /// Connects to the address.
    ///
    /// # Errors
    ///
    /// Returns an error if the system call `connect` fails. The message names the address.
    ///
    /// # Panics
    ///
    /// The future panics if it is polled first outside a volt runtime.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the socket.
    #[track_caller]
    pub fn connect(self, address: SocketAddr) -> ConnectSocket {
        register::<ConnectSocket>();
        ConnectSocket {
            stage: ConnectSocketStage::Unconnected(self.0),
            address,
            made_at: Location::caller(),
        }
    }
}

/// Returns `true` if the error means that the connection is in progress.
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

impl Inspect for ConnectSocket {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        let report_address = |report: &mut dyn FnMut(&dyn fmt::Debug)| report(&self.address);
        SocketWait::CONNECT.report_node("ConnectSocket", report_address, inspector);
    }
}

registrable!(ConnectSocket);

impl Future for ConnectSocket {
    type Output = io::Result<TcpStream>;

    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if matches!(self.stage, ConnectSocketStage::Unconnected(_)) {
            // A connection that the system refuses at once is ready without a wait, so it takes
            // budget here.
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
