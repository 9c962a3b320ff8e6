//! `AsyncWriteExt`: methods for every writer.

use std::io::IoSlice;

use futures_io::AsyncWrite;

use super::write_number::WriteNumber;
use super::write_once::{Close, Flush, Write, WriteAll, WriteVectored};
use crate::io::number::{BigEndian, LittleEndian};

/// Declares the methods that write numbers, each in both orders.
macro_rules! numbers {
    ($($number:ty: $big:ident $(, $little:ident)?;)*) => {$(
        #[doc = concat!("Writes a `", stringify!($number), "`, the most significant byte first.")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`write_all`](Self::write_all).
        ///
        /// # Cancel safety
        ///
        /// **Not cancel safe:** a drop loses the number of bytes that were written.
        fn $big(&mut self, number: $number) -> WriteNumber<'_, Self, $number>
        where
            Self: Unpin,
        {
            WriteNumber::<_, _, BigEndian>::new(self, number)
        }

        $(#[doc = concat!("Writes a `", stringify!($number), "`, the least significant byte first.")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`write_all`](Self::write_all).
        ///
        /// # Cancel safety
        ///
        /// **Not cancel safe:** a drop loses the number of bytes that were written.
        fn $little(&mut self, number: $number) -> WriteNumber<'_, Self, $number, LittleEndian>
        where
            Self: Unpin,
        {
            WriteNumber::new(self, number)
        })?
    )*};
}

/// Extension methods for every [`AsyncWrite`] of `futures-io`.
///
/// `futures` and `futures-lite` have traits of the same name for the same writers. Import only one
/// of these traits: two of them make method calls ambiguous.
///
/// # Examples
///
/// ```
/// use volt::io::AsyncWriteExt;
///
/// volt::block_on(async {
///     let mut written: Vec<u8> = Vec::new();
///     written.write_u16(5).await?;
///     written.write_all(b"hello").await?;
///     assert_eq!(written, b"\x00\x05hello");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait AsyncWriteExt: AsyncWrite {
    /// Writes from the buffer, and returns the number of bytes that were written.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was written.
    fn write<'a>(&'a mut self, buf: &'a [u8]) -> Write<'a, Self>
    where
        Self: Unpin,
    {
        Write::new(self, buf)
    }

    /// Writes from several buffers, in order; see [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was written.
    fn write_vectored<'a, 'b>(&'a mut self, bufs: &'a [IoSlice<'b>]) -> WriteVectored<'a, 'b, Self>
    where
        Self: Unpin,
    {
        WriteVectored { writer: self, bufs }
    }

    /// Writes the whole buffer.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer, and [`WriteZero`](std::io::ErrorKind::WriteZero) if it
    /// accepts no bytes.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** a drop loses the number of bytes that were written.
    fn write_all<'a>(&'a mut self, buf: &'a [u8]) -> WriteAll<'a, Self>
    where
        Self: Unpin,
    {
        WriteAll::new(self, buf)
    }

    numbers! {
        u8: write_u8;
        u16: write_u16, write_u16_le;
        u32: write_u32, write_u32_le;
        u64: write_u64, write_u64_le;
        u128: write_u128, write_u128_le;
        i8: write_i8;
        i16: write_i16, write_i16_le;
        i32: write_i32, write_i32_le;
        i64: write_i64, write_i64_le;
        i128: write_i128, write_i128_le;
        f32: write_f32, write_f32_le;
        f64: write_f64, write_f64_le;
    }

    /// Sends the bytes that the writer has buffered.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: another call continues where this one stopped.
    fn flush(&mut self) -> Flush<'_, Self>
    where
        Self: Unpin,
    {
        Flush::new(self)
    }

    /// Flushes, and ends the stream. The peer then reads the end of the stream.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: another call continues where this one stopped.
    fn close(&mut self) -> Close<'_, Self>
    where
        Self: Unpin,
    {
        Close::new(self)
    }
}

impl<W: AsyncWrite + ?Sized> AsyncWriteExt for W {}
