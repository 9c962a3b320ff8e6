//! Where connections come from, and what is done with one before the first request.

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll};

use hyper::rt::{Read, Write};
use volt::net::{TcpListener, TcpStream};

use crate::io::Io;

/// What [`serve`](crate::serve) accepts connections from.
pub trait Listener: Send + 'static {
    /// A connection.
    type Io: Read + Write + Unpin + Send + 'static;
    /// Its peer.
    type Addr: Clone + Send + Sync + 'static;

    /// Accepts a connection, or has the task woken when one comes.
    ///
    /// # Errors
    ///
    /// After an error the server rests for a moment, and calls it again.
    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<(Self::Io, Self::Addr)>>;
}

/// Small writes are sent at once (`TCP_NODELAY`): hyper gathers what belongs together by itself.
impl Listener for TcpListener {
    type Io = Io<TcpStream>;
    type Addr = SocketAddr;

    fn poll_accept(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<(Self::Io, SocketAddr)>> {
        TcpListener::poll_accept(self, cx).map_ok(|(stream, peer)| {
            // A connection that its peer has closed already says so when it is read.
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

/// What is done with each connection before it is read for requests, in its own task.
///
/// Functions that return a future do: see [`Serve::handshake`](crate::Serve::handshake).
pub trait Handshake<I>: Clone + Send + 'static {
    /// The connection afterwards.
    type Io: Read + Write + Unpin + Send + 'static;

    /// Makes it. An error closes the connection.
    fn shake(self, io: I) -> impl Future<Output = io::Result<Self::Io>> + Send + 'static;
}

/// No handshake.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl<I: Read + Write + Unpin + Send + 'static> Handshake<I> for Plain {
    type Io = I;

    fn shake(self, io: I) -> impl Future<Output = io::Result<I>> + Send + 'static {
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

    fn shake(self, io: I) -> impl Future<Output = io::Result<O>> + Send + 'static {
        self(io)
    }
}
