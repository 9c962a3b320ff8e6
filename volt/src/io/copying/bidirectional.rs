//! Both ways between two streams.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};

use super::copy_buffer::Transfer;

/// Copies from each of two streams to the other until both have ended, and returns how many bytes
/// went from `a` to `b`, and how many from `b` to `a`.
///
/// When one of them ends, the other one's writing half is [closed](AsyncWrite::poll_close), and the
/// way back goes on: a proxy of TCP hands on half-closed connections as they are.
///
/// # Errors
///
/// Fails as soon as either way does. How much was moved before is lost.
///
/// # Cancel safety
///
/// **Not cancel safe:** what was read and not yet written, up to 8 KiB each way, is lost with the
/// future.
pub fn copy_bidirectional<'a, A, B>(a: &'a mut A, b: &'a mut B) -> CopyBidirectional<'a, A, B>
where
    A: AsyncRead + AsyncWrite + Unpin + ?Sized,
    B: AsyncRead + AsyncWrite + Unpin + ?Sized,
{
    CopyBidirectional {
        a,
        b,
        there: Way::Open(Transfer::default()),
        back: Way::Open(Transfer::default()),
    }
}

/// The future of [`copy_bidirectional`].
#[must_use = "futures do nothing unless polled"]
pub struct CopyBidirectional<'a, A: ?Sized, B: ?Sized> {
    a: &'a mut A,
    b: &'a mut B,
    there: Way,
    back: Way,
}

/// One of the two ways.
#[derive(Debug)]
enum Way {
    Open(Transfer),
    /// Its reader has ended after so many bytes; its writer has to be closed.
    Ends(u64),
    Over(u64),
}

impl Way {
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
                Self::Open(transfer) => {
                    *self = Self::Ends(ready!(transfer.poll(cx, reader, writer))?);
                }
                Self::Ends(moved) => {
                    ready!(Pin::new(&mut *writer).poll_close(cx))?;
                    *self = Self::Over(*moved);
                }
                Self::Over(moved) => return Poll::Ready(Ok(*moved)),
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
        let there = this.there.poll(cx, this.a, this.b)?;
        let back = this.back.poll(cx, this.b, this.a)?;
        match (there, back) {
            (Poll::Ready(there), Poll::Ready(back)) => Poll::Ready(Ok((there, back))),
            _ => Poll::Pending,
        }
    }
}

impl<A: ?Sized, B: ?Sized> fmt::Debug for CopyBidirectional<'_, A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyBidirectional")
            .field("there", &self.there)
            .field("back", &self.back)
            .finish_non_exhaustive()
    }
}
