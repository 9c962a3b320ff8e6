//! `AsyncSeekExt`: methods for every stream with a position, and their futures.

use std::io::{self, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::AsyncSeek;

use super::future_macro::io_future;
use crate::task::poll_begun;

/// Extension methods for every [`AsyncSeek`] of `futures-io`.
///
/// # Examples
///
/// ```
/// use std::io::SeekFrom;
/// use volt::io::{AsyncReadExt, AsyncSeekExt};
///
/// volt::block_on(async {
///     let mut stream = futures::io::Cursor::new(b"hello world");
///     let mut word = String::new();
///     assert_eq!(stream.seek(SeekFrom::End(-5)).await?, 6);
///     stream.read_to_string(&mut word).await?;
///     assert_eq!((&word[..], stream.stream_position().await?), ("world", 11));
///     stream.rewind().await
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait AsyncSeekExt: AsyncSeek {
    /// Moves the position, and returns the new position from the start of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the stream, and an error for a position before the start.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, the position may have moved.
    fn seek(&mut self, to: SeekFrom) -> Seek<'_, Self>
    where
        Self: Unpin,
    {
        Seek::new(self, to)
    }

    /// Moves the position to the start of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the stream.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, the position may have moved.
    fn rewind(&mut self) -> Rewind<'_, Self>
    where
        Self: Unpin,
    {
        Rewind::new(self)
    }

    /// Returns the position from the start of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the stream.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: the position does not change.
    fn stream_position(&mut self) -> StreamPosition<'_, Self>
    where
        Self: Unpin,
    {
        StreamPosition::new(self)
    }
}

impl<S: AsyncSeek + ?Sized> AsyncSeekExt for S {}

io_future! {
    /// The future of [`AsyncSeekExt::seek`].
    Seek on AsyncSeek [to: SeekFrom] state [Option<io::Result<u64>>] -> io::Result<u64>,
    |cx, stream, done| poll_seek(cx, stream, *to, done)
}

io_future! {
    /// The future of [`AsyncSeekExt::rewind`].
    Rewind on AsyncSeek [] state [Option<io::Result<u64>>] -> io::Result<()>,
    |cx, stream, done| poll_seek(cx, stream, SeekFrom::Start(0), done).map_ok(|_| ())
}

io_future! {
    /// The future of [`AsyncSeekExt::stream_position`].
    StreamPosition on AsyncSeek [] state [Option<io::Result<u64>>] -> io::Result<u64>,
    |cx, stream, done| poll_seek(cx, stream, SeekFrom::Current(0), done)
}

/// Seeks. `done` has the result of a seek that is ready and waits for budget.
fn poll_seek<S>(
    cx: &mut Context<'_>,
    stream: &mut S,
    to: SeekFrom,
    done: &mut Option<io::Result<u64>>,
) -> Poll<io::Result<u64>>
where
    S: AsyncSeek + Unpin + ?Sized,
{
    poll_begun(cx, done, |cx| Pin::new(stream).poll_seek(cx, to))
}
