//! From the buffer of a reader to a writer.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncWrite};

use crate::task::poll_proceed;

/// As [`copy`](fn@super::copy), out of the buffer of a reader that has one.
///
/// # Errors
///
/// As there.
///
/// # Cancel safety
///
/// Cancel safe: what was not written is still in the reader. How much was written is lost with the
/// future.
pub fn copy_buf<R, W>(reader: R, writer: W) -> CopyBuf<R, W>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin,
{
    CopyBuf {
        reader,
        writer,
        needs_flush: false,
        moved: 0,
    }
}

/// The future of [`copy_buf`](fn@copy_buf), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type copy_buf<R, W> = CopyBuf<R, W>;

/// A copy under way; see [`copy_buf`](fn@copy_buf).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct CopyBuf<R, W> {
    reader: R,
    writer: W,
    needs_flush: bool,
    moved: u64,
}

impl<R, W> Future for CopyBuf<R, W>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin,
{
    type Output = io::Result<u64>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        loop {
            let budget = ready!(poll_proceed(cx));
            let Poll::Ready(filled) = Pin::new(&mut this.reader).poll_fill_buf(cx) else {
                if this.needs_flush {
                    ready!(Pin::new(&mut this.writer).poll_flush(cx))?;
                    this.needs_flush = false;
                }
                return Poll::Pending;
            };
            let filled = filled?;
            if filled.is_empty() {
                ready!(Pin::new(&mut this.writer).poll_flush(cx))?;
                return Poll::Ready(Ok(this.moved));
            }
            match ready!(Pin::new(&mut this.writer).poll_write(cx, filled))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => {
                    Pin::new(&mut this.reader).consume(written);
                    this.moved += written as u64;
                    this.needs_flush = true;
                }
            }
            budget.made_progress();
        }
    }
}
