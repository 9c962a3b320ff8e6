//! UDP sockets for quinn, which sends and receives many datagrams by one system call.

use std::fmt;
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use quinn::udp::{RecvMeta, Transmit, UdpSockRef, UdpSocketState};
use quinn::{AsyncUdpSocket, UdpPoller};
use volt::net::UdpSocket;

/// A socket of volt, with the capabilities that quinn detected.
#[derive(Debug)]
pub(crate) struct Socket {
    io: UdpSocket,
    state: UdpSocketState,
}

impl Socket {
    /// Takes over a socket; the thread must be in a runtime.
    pub(crate) fn new(socket: std::net::UdpSocket) -> io::Result<Self> {
        let state = UdpSocketState::new(UdpSockRef::from(&socket))?;
        let io = UdpSocket::from_std(socket)?;
        Ok(Self { io, state })
    }
}

impl AsyncUdpSocket for Socket {
    fn create_io_poller(self: Arc<Self>) -> Pin<Box<dyn UdpPoller>> {
        Box::pin(WritablePoller {
            socket: self,
            waiting: None,
        })
    }

    fn try_send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        self.io
            .try_write_io(|socket| self.state.send(UdpSockRef::from(socket), transmit))
    }

    fn poll_recv(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        self.io.poll_read_io(cx, |socket| {
            self.state.recv(UdpSockRef::from(socket), bufs, meta)
        })
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.io.local_addr()
    }

    fn max_transmit_segments(&self) -> usize {
        self.state.max_gso_segments()
    }

    fn max_receive_segments(&self) -> usize {
        self.state.gro_segments()
    }

    fn may_fragment(&self) -> bool {
        self.state.may_fragment()
    }
}

/// The wait of one task until it can send: all connections of an endpoint share a socket.
struct WritablePoller {
    socket: Arc<Socket>,
    waiting: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send + Sync>>>,
}

impl UdpPoller for WritablePoller {
    /// Allocates at the first poll of each wait. quinn waits only after a refused send.
    fn poll_writable(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let waiting = this.waiting.get_or_insert_with(|| {
            let socket = Arc::clone(&this.socket);
            Box::pin(async move { socket.io.writable().await })
        });
        let polled = waiting.as_mut().poll(cx);
        if polled.is_ready() {
            this.waiting = None;
        }
        polled
    }
}

impl fmt::Debug for WritablePoller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WritablePoller")
            .field("socket", &self.socket)
            .field("waits", &self.waiting.is_some())
            .finish()
    }
}
