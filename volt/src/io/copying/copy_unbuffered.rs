//! From a reader to a writer.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use super::copy_buffer::CopyBuffer;

/// Writes all that comes out of `reader` to `writer`, flushes it, and returns how many bytes it was.
///
/// Both are taken by value; a `&mut` is a reader and a writer too. Whenever it has to wait for the
/// reader, it flushes the writer, so that nothing is held back meanwhile.
///
/// # Errors
///
/// Fails as either does, and with [`WriteZero`](io::ErrorKind::WriteZero) when the writer takes
/// nothing.
///
/// # Cancel safety
///
/// **Not cancel safe:** what was read and not yet written, up to 8 KiB, is lost with the future.
/// [`copy_buf`](fn@super::copy_buf) loses nothing.
///
/// # Examples
///
/// ```
/// volt::block_on(async {
///     let mut written: Vec<u8> = Vec::new();
///     assert_eq!(volt::io::copy(&b"hello"[..], &mut written).await?, 5);
///     assert_eq!(written, b"hello");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn copy<R, W>(reader: R, writer: W) -> Copy<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    Copy {
        reader,
        writer,
        buffer: CopyBuffer::default(),
    }
}

/// The future of [`copy`](fn@copy), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type copy<R, W> = Copy<R, W>;

/// A copy under way; see [`copy`](fn@copy).
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Copy<R, W> {
    reader: R,
    writer: W,
    buffer: CopyBuffer,
}

impl<R, W> Future for Copy<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    type Output = io::Result<u64>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.buffer.poll(cx, &mut this.reader, &mut this.writer)
    }
}
