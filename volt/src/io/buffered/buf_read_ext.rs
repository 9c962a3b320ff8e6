//! The methods of every reader with a buffer.

use std::pin::Pin;

use futures_io::AsyncBufRead;

use super::fill_buf::FillBuf;
use super::lines::Lines;
use super::read_line::ReadLine;
use super::read_until::ReadUntil;
use super::split_by::Split;

/// What can be done with every [`AsyncBufRead`] of `futures-io`: with a
/// [`BufReader`](super::buf_reader::BufReader) around any reader, and with a `&[u8]`.
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
    /// Waits until there is something in the buffer, and lends it; nothing is the end of the stream.
    /// What was used of it has to be [taken out](Self::consume).
    ///
    /// # Errors
    ///
    /// Fails as the reader does.
    ///
    /// # Panics
    ///
    /// The future panics when it is polled after it was ready.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: what comes stays in the buffer.
    fn fill_buf(&mut self) -> FillBuf<'_, Self>
    where
        Self: Unpin,
    {
        FillBuf::new(self)
    }

    /// Takes so many bytes out of the buffer, which [`fill_buf`](Self::fill_buf) has lent.
    fn consume(&mut self, amount: usize)
    where
        Self: Unpin,
    {
        AsyncBufRead::consume(Pin::new(self), amount);
    }

    /// Appends everything up to the byte `end`, with that byte, or up to the end of the stream, to
    /// the vector, and returns how much it was; zero is the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as the reader does; what was read before stands in the vector.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the next call gets the same vector: what was read so far stands in it, and the
    /// next call goes on from there.
    fn read_until<'a>(&'a mut self, end: u8, buf: &'a mut Vec<u8>) -> ReadUntil<'a, Self>
    where
        Self: Unpin,
    {
        ReadUntil::new(self, end, buf)
    }

    /// Appends a line, with its `\n`, to the string, and returns how many bytes it was; zero is the
    /// end of the stream.
    ///
    /// # Errors
    ///
    /// Fails as the reader does. The part of the line that was read is then in the string, and
    /// another call appends the rest.
    ///
    /// Fails with [`InvalidData`](std::io::ErrorKind::InvalidData) if the line is not UTF-8. The
    /// string is then as it was before the call, and the line is passed over.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the next call gets the same string: the part of the line that was read is in
    /// it, and the next call appends the rest. One part cannot be in a string: the first bytes of a
    /// character whose other bytes have not arrived. They are lost with the future, and the next
    /// call fails with `InvalidData`. [`Lines::next_line`] keeps them.
    fn read_line<'a>(&'a mut self, buf: &'a mut String) -> ReadLine<'a, Self>
    where
        Self: Unpin,
    {
        ReadLine::new(self, buf)
    }

    /// The lines of the reader, without their ends.
    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines::new(self)
    }

    /// The pieces of the reader between the occurrences of the byte `end`.
    fn split(self, end: u8) -> Split<Self>
    where
        Self: Sized,
    {
        Split::new(self, end)
    }
}

impl<R: AsyncBufRead + ?Sized> AsyncBufReadExt for R {}
