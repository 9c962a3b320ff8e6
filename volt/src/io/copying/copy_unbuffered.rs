//! `copy`: from a reader to a writer.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};

use super::copy_buffer::CopyBuffer;

/// Copies all bytes of `reader` to `writer`, flushes the writer, and returns the number of bytes.
///
/// Both arguments are passed by value. A `&mut` is a reader and a writer too. The writer is flushed
/// each time the copy waits for the reader.
///
/// # Errors
///
/// Returns the errors of both, and [`WriteZero`](io::ErrorKind::WriteZero) if the writer accepts no
/// bytes.
///
/// # Cancel safety
///
/// **Not cancel safe:** a drop loses bytes that were read and not yet written, up to 8 KiB.
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

/// The future of [`copy`](fn@copy), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "the alias has the name of its function"
)]
pub type copy<R, W> = Copy<R, W>;

/// The future of [`copy`](fn@copy).
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
