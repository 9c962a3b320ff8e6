//! `copy_bidirectional`: copies in both directions between two streams.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};

use super::copy_buffer::CopyBuffer;

/// Copies in both directions between two streams until both have ended. Returns the number of bytes
/// from `a` to `b`, and the number from `b` to `a`.
///
/// When one stream ends, the write half of the other is [closed](AsyncWrite::poll_close), and the
/// other direction continues. So a TCP proxy forwards half-closed connections.
///
/// # Errors
///
/// Returns the first error of either direction. The numbers of bytes are lost.
///
/// # Cancel safety
///
/// **Not cancel safe:** a drop loses bytes that were read and not yet written, up to 8 KiB in each
/// direction.
pub fn copy_bidirectional<'a, A, B>(a: &'a mut A, b: &'a mut B) -> CopyBidirectional<'a, A, B>
where
    A: AsyncRead + AsyncWrite + Unpin + ?Sized,
    B: AsyncRead + AsyncWrite + Unpin + ?Sized,
{
    CopyBidirectional {
        a,
        b,
        a_to_b: CopyState::Running(CopyBuffer::default()),
        b_to_a: CopyState::Running(CopyBuffer::default()),
    }
}

/// The future of [`copy_bidirectional`].
#[must_use = "futures do nothing unless polled"]
pub struct CopyBidirectional<'a, A: ?Sized, B: ?Sized> {
    a: &'a mut A,
    b: &'a mut B,
    a_to_b: CopyState,
    b_to_a: CopyState,
}

/// The state of one direction.
#[derive(Debug)]
enum CopyState {
    Running(CopyBuffer),
    /// The reader has ended after this number of bytes. The writer must be closed.
    Closing(u64),
    Done(u64),
}

impl CopyState {
    fn poll<R, W>(
        &mut self,
        cx: &mut Context<'_>,
        reader: &mut R,
        writer: &mut W,
    ) -> Poll<io::Result<u64>>
    where
        R: AsyncRead + Unpin + ?Sized,
        W: AsyncWrite + Unpin + ?Sized,
    {
        loop {
            match self {
                Self::Running(buffer) => {
                    *self = Self::Closing(ready!(buffer.poll(cx, reader, writer))?);
                }
                Self::Closing(moved) => {
                    ready!(Pin::new(&mut *writer).poll_close(cx))?;
                    *self = Self::Done(*moved);
                }
                Self::Done(moved) => return Poll::Ready(Ok(*moved)),
            }
        }
    }
}

impl<A, B> Future for CopyBidirectional<'_, A, B>
where
    A: AsyncRead + AsyncWrite + Unpin + ?Sized,
    B: AsyncRead + AsyncWrite + Unpin + ?Sized,
{
    type Output = io::Result<(u64, u64)>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let a_to_b = this.a_to_b.poll(cx, this.a, this.b)?;
        let b_to_a = this.b_to_a.poll(cx, this.b, this.a)?;
        match (a_to_b, b_to_a) {
            (Poll::Ready(a_to_b), Poll::Ready(b_to_a)) => Poll::Ready(Ok((a_to_b, b_to_a))),
            _ => Poll::Pending,
        }
    }
}

impl<A: ?Sized, B: ?Sized> fmt::Debug for CopyBidirectional<'_, A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyBidirectional")
            .field("a_to_b", &self.a_to_b)
            .field("b_to_a", &self.b_to_a)
            .finish_non_exhaustive()
    }
}
