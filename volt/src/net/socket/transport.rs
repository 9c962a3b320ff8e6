//! `Transport`: the operations of a connection that its futures and halves use.

use std::fmt::Debug;
use std::io::{self, IoSlice, IoSliceMut};
use std::net::Shutdown;
use std::task::{Context, Poll};

use crate::driver::ReadinessWait;
use crate::io::HasRegistration;
use crate::task::poll_spent;

/// A connection that carries bytes in order.
///
/// Other crates cannot name this trait, so they cannot implement it.
#[expect(
    private_interfaces,
    reason = "other crates neither call nor implement it"
)]
pub trait Transport: HasRegistration {
    /// Reads, with a waiter of the caller.
    fn poll_read_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>>;

    /// Writes, with a waiter of the caller.
    fn poll_write_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        buf: &[u8],
    ) -> Poll<io::Result<usize>>;

    /// Reads into several buffers, with a waiter of the caller.
    fn poll_read_vectored_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>>;

    /// Writes from several buffers, with a waiter of the caller.
    fn poll_write_vectored_in(
        &self,
        cx: &mut Context<'_>,
        waiting: &mut ReadinessWait,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>>;

    /// Reads the bytes that have arrived, without waiting.
    fn try_read(&self, buf: &mut [u8]) -> io::Result<usize>;

    fn try_read_vectored(&self, bufs: &mut [IoSliceMut<'_>]) -> io::Result<usize>;

    /// Writes the bytes for which there is room, without waiting.
    fn try_write(&self, buf: &[u8]) -> io::Result<usize>;

    fn try_write_vectored(&self, bufs: &[IoSlice<'_>]) -> io::Result<usize>;

    /// Reads, with the waiter that all callers share.
    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>>;

    fn poll_read_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>>;

    /// Writes, with the waiter that all callers share.
    fn poll_write(&self, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>>;

    fn poll_write_vectored(
        &self,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>>;

    /// Passes the address of the peer to `report`, if the system knows it.
    fn report_peer(&self, report: &mut dyn FnMut(&dyn Debug));

    /// Shuts down one half, or both.
    fn shutdown(&self, how: Shutdown) -> io::Result<()>;

    /// Shuts down the write half. Returns no error if the peer has already closed the connection.
    fn close(&self) -> io::Result<()> {
        match self.shutdown(Shutdown::Write) {
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(()),
            result => result,
        }
    }

    /// Does nothing: the system has every byte that was written. It takes one from the budget of
    /// the task.
    fn poll_flush(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(Ok)
    }

    /// Calls [`close`](Self::close), and takes one from the budget of the task.
    fn poll_close(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(|()| self.close())
    }
}

/// A connection, or a half of one.
pub(in crate::net) trait HasStream {
    /// The connection.
    type Stream: Transport;

    fn stream(&self) -> &Self::Stream;
}

impl<S: Transport> HasStream for S {
    type Stream = S;

    fn stream(&self) -> &S {
        self
    }
}

/// Implements [`Transport`] for types with a field `io` and a method `shutdown`.
macro_rules! impl_transport {
    ($transport:ty) => {
        #[expect(private_interfaces, reason = "the trait has them too")]
        impl $crate::io::HasRegistration for $transport {
            fn registration(&self) -> &$crate::driver::Registration {
                self.io.registration()
            }
        }

        #[expect(private_interfaces, reason = "the trait has them too")]
        impl $crate::net::socket::Transport for $transport {
            fn report_peer(&self, report: &mut dyn FnMut(&dyn std::fmt::Debug)) {
                if let Ok(peer) = self.peer_addr() {
                    report(&peer);
                }
            }

            fn poll_read_in(
                &self,
                cx: &mut std::task::Context<'_>,
                waiting: &mut $crate::driver::ReadinessWait,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read_in(cx, waiting, buf)
            }

            fn poll_write_in(
                &self,
                cx: &mut std::task::Context<'_>,
                waiting: &mut $crate::driver::ReadinessWait,
                buf: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write_in(cx, waiting, buf)
            }

            fn poll_read_vectored_in(
                &self,
                cx: &mut std::task::Context<'_>,
                waiting: &mut $crate::driver::ReadinessWait,
                bufs: &mut [std::io::IoSliceMut<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read_vectored_in(cx, waiting, bufs)
            }

            fn poll_write_vectored_in(
                &self,
                cx: &mut std::task::Context<'_>,
                waiting: &mut $crate::driver::ReadinessWait,
                bufs: &[std::io::IoSlice<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write_vectored_in(cx, waiting, bufs)
            }

            fn try_read(&self, buf: &mut [u8]) -> std::io::Result<usize> {
                self.io.try_read(buf)
            }

            fn try_read_vectored(
                &self,
                bufs: &mut [std::io::IoSliceMut<'_>],
            ) -> std::io::Result<usize> {
                self.io.try_read_vectored(bufs)
            }

            fn try_write(&self, buf: &[u8]) -> std::io::Result<usize> {
                self.io.try_write(buf)
            }

            fn try_write_vectored(&self, bufs: &[std::io::IoSlice<'_>]) -> std::io::Result<usize> {
                self.io.try_write_vectored(bufs)
            }

            fn poll_read(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read(cx, buf)
            }

            fn poll_read_vectored(
                &self,
                cx: &mut std::task::Context<'_>,
                bufs: &mut [std::io::IoSliceMut<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_read_vectored(cx, bufs)
            }

            fn poll_write(
                &self,
                cx: &mut std::task::Context<'_>,
                buf: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write(cx, buf)
            }

            fn poll_write_vectored(
                &self,
                cx: &mut std::task::Context<'_>,
                bufs: &[std::io::IoSlice<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                self.io.poll_write_vectored(cx, bufs)
            }

            fn shutdown(&self, how: std::net::Shutdown) -> std::io::Result<()> {
                self.io.get().shutdown(how)
            }
        }
    };
}
pub(in crate::net) use impl_transport;
