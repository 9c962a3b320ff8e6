//! Listeners, and the handshake of a connection before its first request.

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll};

use hyper::rt::{Read, Write};
use volt::net::{TcpListener, TcpStream};

use crate::io::Io;

/// A source of connections for [`serve`](crate::serve).
pub trait Listener: Send + 'static {
    /// A connection.
    type Io: Read + Write + Unpin + Send + 'static;
    /// The address of the peer.
    type Addr: Clone + Send + Sync + 'static;

    /// Accepts a connection, or registers the task to be woken when one arrives.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses a connection. The server then pauses, and calls this
    /// again.
    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<(Self::Io, Self::Addr)>>;
}

/// Disables Nagle's algorithm (`TCP_NODELAY`), because hyper collects its writes itself.
impl Listener for TcpListener {
    type Io = Io<TcpStream>;
    type Addr = SocketAddr;

    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<(Self::Io, SocketAddr)>> {
        TcpListener::poll_accept(self, cx).map_ok(|(stream, peer)| {
            // If the peer has closed the connection, reading it reports the error.
            let _ = stream.set_nodelay(true);
            (Io::new(stream), peer)
        })
    }
}

#[cfg(unix)]
impl Listener for volt::net::UnixListener {
    type Io = Io<volt::net::UnixStream>;
    type Addr = std::os::unix::net::SocketAddr;

    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<(Self::Io, Self::Addr)>> {
        volt::net::UnixListener::poll_accept(self, cx)
            .map_ok(|(stream, peer)| (Io::new(stream), peer))
    }
}

/// A handshake that runs in the task of each connection, before requests are read.
///
/// Functions that return a future implement this: see
/// [`Serve::handshake`](crate::Serve::handshake).
pub trait Handshake<I>: Clone + Send + 'static {
    /// The connection after the handshake.
    type Io: Read + Write + Unpin + Send + 'static;

    /// Performs the handshake. An error closes the connection.
    fn perform(self, io: I) -> impl Future<Output = io::Result<Self::Io>> + Send + 'static;
}

/// No handshake.
#[derive(Clone, Copy, Debug)]
pub struct NoHandshake;

impl<I: Read + Write + Unpin + Send + 'static> Handshake<I> for NoHandshake {
    type Io = I;

    fn perform(self, io: I) -> impl Future<Output = io::Result<I>> + Send + 'static {
        std::future::ready(Ok(io))
    }
}

impl<I, O, H, F> Handshake<I> for H
where
    I: Send + 'static,
    O: Read + Write + Unpin + Send + 'static,
    H: Fn(I) -> F + Clone + Send + 'static,
    F: Future<Output = io::Result<O>> + Send + 'static,
{
    type Io = O;

    fn perform(self, io: I) -> impl Future<Output = io::Result<O>> + Send + 'static {
        self(io)
    }
}
