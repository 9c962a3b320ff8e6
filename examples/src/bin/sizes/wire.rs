//! Sockets of the size of a pointer.
//!
//! The futures of volt have more fields in builds with assertions, and the table has to be equal in
//! all.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

pub(crate) struct Socket {
    descriptor: Box<u32>,
}

impl Socket {
    pub(crate) fn poll_read(
        &self,
        cx: &mut Context<'_>,
        into: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        cx.waker().wake_by_ref();
        into.fill(*self.descriptor as u8);
        Poll::Ready(Ok(into.len()))
    }

    pub(crate) fn poll_write(&self, cx: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        cx.waker().wake_by_ref();
        Poll::Ready(Ok(from.len()))
    }
}

pub(crate) struct Listener {
    address: SocketAddr,
}

impl Listener {
    pub(crate) fn poll_accept(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<(Socket, SocketAddr)>> {
        cx.waker().wake_by_ref();
        let descriptor = Box::new(7);
        Poll::Ready(Ok((Socket { descriptor }, self.address)))
    }
}

/// Connects to an address.
pub(crate) fn connect(address: SocketAddr) -> Connect {
    Connect { address }
}

/// The future of `connect`, under the function's own name.
#[allow(non_camel_case_types, reason = "it stands beside the function")]
pub(crate) type connect = Connect;

pub(crate) struct Connect {
    address: SocketAddr,
}

impl Future for Connect {
    type Output = io::Result<Socket>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let descriptor = Box::new(u32::from(self.address.port()));
        Poll::Ready(Ok(Socket { descriptor }))
    }
}
