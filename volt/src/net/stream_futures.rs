//! What a TCP connection does in futures, and its halves.

use super::owned::{self, OwnedReadHalf, OwnedWriteHalf};
use super::read::{Peek, Read, ReadExact};
use super::split::{self, ReadHalf, WriteHalf};
use super::stream::TcpStream;
use super::write::{Write, WriteAll};
use crate::io::{Readable, Writable};

impl TcpStream {
    /// Reads into the buffer and returns how many bytes came; zero is the end of the stream.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no byte.
    pub fn read<'a>(&'a self, buf: &'a mut [u8]) -> Read<'a> {
        Read::new(self, buf)
    }

    /// Fills the buffer.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read), and with
    /// [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof) when the stream ends first.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** what was read so far stays in the buffer, and how much it was is lost
    /// with the future.
    pub fn read_exact<'a>(&'a self, buf: &'a mut [u8]) -> ReadExact<'a> {
        ReadExact::new(self, buf)
    }

    /// Reads into the buffer what stays in the stream for the next read.
    ///
    /// # Errors
    ///
    /// As [`poll_read`](Self::poll_read).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn peek<'a>(&'a self, buf: &'a mut [u8]) -> Peek<'a> {
        Peek::new(self, buf)
    }

    /// Writes from the buffer and returns how many bytes went.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write).
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it was ready, nothing was written.
    pub fn write<'a>(&'a self, buf: &'a [u8]) -> Write<'a> {
        Write::new(self, buf)
    }

    /// Writes the whole buffer.
    ///
    /// # Errors
    ///
    /// As [`poll_write`](Self::poll_write), and with
    /// [`WriteZero`](std::io::ErrorKind::WriteZero) when the system takes nothing.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** how much was written is lost with the future.
    pub fn write_all<'a>(&'a self, buf: &'a [u8]) -> WriteAll<'a> {
        WriteAll::new(self, buf)
    }

    /// Waits until a read may succeed; only [`try_read`](Self::try_read) tells whether it does.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn readable(&self) -> Readable<'_> {
        Readable::new(self)
    }

    /// Waits until a write may succeed; only [`try_write`](Self::try_write) tells whether it
    /// does.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn writable(&self) -> Writable<'_> {
        Writable::new(self)
    }

    /// Lends the stream as two halves, one to read and one to write, for two futures in one task.
    ///
    /// The halves only keep apart what is read and what is written: `&TcpStream` does both, also
    /// from several tasks.
    pub fn split(&mut self) -> (ReadHalf<'_>, WriteHalf<'_>) {
        split::split(self)
    }

    /// Takes the stream apart into two halves, one to read and one to write, for two tasks.
    ///
    /// [`OwnedReadHalf::reunite`] puts them together again.
    #[must_use]
    pub fn into_split(self) -> (OwnedReadHalf, OwnedWriteHalf) {
        owned::into_split(self)
    }
}
