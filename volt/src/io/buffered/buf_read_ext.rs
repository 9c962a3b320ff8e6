//! `AsyncBufReadExt`: methods for every buffered reader.

use std::pin::Pin;

use futures_io::AsyncBufRead;

use super::fill_buf::FillBuf;
use super::lines::Lines;
use super::read_line::ReadLine;
use super::read_until::ReadUntil;
use super::split_by::Split;

/// Extension methods for every [`AsyncBufRead`] of `futures-io`, such as a
/// [`BufReader`](super::buf_reader::BufReader) or a `&[u8]`.
///
/// # Examples
///
/// ```
/// use volt::io::{AsyncBufReadExt, BufReader};
///
/// volt::block_on(async {
///     let mut reader = BufReader::new(&b"GET /\r\nHost: here\r\n\r\nbody"[..]);
///     let mut request = String::new();
///     while reader.read_line(&mut request).await? > 2 {}
///     assert!(request.ends_with("\r\n\r\n"));
///     assert_eq!(reader.fill_buf().await?, b"body");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait AsyncBufReadExt: AsyncBufRead {
    /// Waits until the buffer has bytes, and returns a reference to them. An empty slice means the
    /// end of the stream. Call [`consume`](Self::consume) with the number of bytes that were used.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader.
    ///
    /// # Panics
    ///
    /// The future panics if it is polled after completion.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: bytes that arrive stay in the buffer.
    fn fill_buf(&mut self) -> FillBuf<'_, Self>
    where
        Self: Unpin,
    {
        FillBuf::new(self)
    }

    /// Removes `amount` bytes from the buffer. [`fill_buf`](Self::fill_buf) must have returned
    /// them.
    fn consume(&mut self, amount: usize)
    where
        Self: Unpin,
    {
        AsyncBufRead::consume(Pin::new(self), amount);
    }

    /// Reads up to and including the byte `end`, or to the end of the stream. Appends the bytes to
    /// the vector, and returns their number. Zero means the end of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader. The vector then has the bytes that were read before.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the next call gets the same vector: bytes that were read are in it, and the
    /// next call continues after them.
    fn read_until<'a>(&'a mut self, end: u8, buf: &'a mut Vec<u8>) -> ReadUntil<'a, Self>
    where
        Self: Unpin,
    {
        ReadUntil::new(self, end, buf)
    }

    /// Reads a line, appends it with its `\n` to the string, and returns the number of its bytes.
    /// Zero means the end of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader. The part of the line that was read is then in the string,
    /// and another call appends the rest.
    ///
    /// Returns [`InvalidData`](std::io::ErrorKind::InvalidData) if the line is not UTF-8. The
    /// string is then unchanged, and the line is skipped.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the next call gets the same string: it contains the part of the line that was
    /// read, and the next call appends the rest. An exception is a character of which only the
    /// first bytes have arrived. A drop loses these bytes, and the next call returns `InvalidData`.
    /// [`Lines::next_line`] keeps them.
    fn read_line<'a>(&'a mut self, buf: &'a mut String) -> ReadLine<'a, Self>
    where
        Self: Unpin,
    {
        ReadLine::new(self, buf)
    }

    /// Returns the lines of the reader, without their line ends.
    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines::new(self)
    }

    /// Returns the segments of the reader between the occurrences of the byte `end`.
    fn split(self, end: u8) -> Split<Self>
    where
        Self: Sized,
    {
        Split::new(self, end)
    }
}

impl<R: AsyncBufRead + ?Sized> AsyncBufReadExt for R {}
