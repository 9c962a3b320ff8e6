//! `copy_buf`: from the buffer of a reader to a writer.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncWrite};

use super::copy_progress::CopyProgress;
use crate::task::poll_proceed;

/// Copies all bytes of a buffered reader to a writer, without a second buffer. Flushes the writer,
/// and returns the number of bytes; see [`copy`](fn@super::copy).
///
/// # Errors
///
/// Returns the errors of [`copy`](fn@super::copy).
///
/// # Cancel safety
///
/// Cancel safe: bytes that were not written are still in the reader. A drop loses the number of
/// bytes that were written.
pub fn copy_buf<R, W>(reader: R, writer: W) -> CopyBuf<R, W>
where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin,
{
    CopyBuf {
        reader,
        writer,
        progress: CopyProgress::default(),
    }
}

/// The future of [`copy_buf`](fn@copy_buf), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "the alias has the name of its function"
)]
pub type copy_buf<R, W> = CopyBuf<R, W>;

/// The future of [`copy_buf`](fn@copy_buf).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct CopyBuf<R, W> {
    reader: R,
    writer: W,
    progress: CopyProgress,
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
                return this.progress.poll_pause(cx, &mut this.writer);
            };
            let filled = filled?;
            if filled.is_empty() {
                budget.made_progress();
                return this.progress.poll_end(cx, &mut this.writer);
            }
            let written = ready!(this.progress.poll_write(cx, &mut this.writer, filled))?;
            Pin::new(&mut this.reader).consume(written);
            budget.made_progress();
        }
    }
}
