//! `AsyncReadExt`: methods for every reader.

use std::io::IoSliceMut;

use futures_io::AsyncRead;

use super::chain::Chain;
use super::read_all::{ReadExact, ReadToEnd, ReadToString};
use super::read_number::ReadNumber;
use super::read_once::{Read, ReadBuf, ReadVectored};
use super::take::Take;
use crate::io::growable::GrowableBytes;
use crate::io::number::{BigEndian, LittleEndian};

/// Declares the methods that read numbers, each in both orders.
macro_rules! numbers {
    ($($number:ty: $big:ident $(, $little:ident)?;)*) => {$(
        #[doc = concat!("Reads a `", stringify!($number), "`, the most significant byte first.")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`read_exact`](Self::read_exact).
        ///
        /// # Cancel safety
        ///
        /// **Not cancel safe:** bytes that were read before the drop are lost. A
        /// [`BufReader`](crate::io::BufReader) has methods of the same names that keep them.
        fn $big(&mut self) -> ReadNumber<'_, Self, $number>
        where
            Self: Unpin,
        {
            ReadNumber::<_, _, BigEndian>::new(self)
        }

        $(#[doc = concat!("Reads a `", stringify!($number), "`, the least significant byte first.")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`read_exact`](Self::read_exact).
        ///
        /// # Cancel safety
        ///
        /// **Not cancel safe:** bytes that were read before the drop are lost. A
        /// [`BufReader`](crate::io::BufReader) has methods of the same names that keep them.
        fn $little(&mut self) -> ReadNumber<'_, Self, $number, LittleEndian>
        where
            Self: Unpin,
        {
            ReadNumber::new(self)
        })?
    )*};
}

/// Extension methods for every [`AsyncRead`] of `futures-io`.
///
/// `futures` and `futures-lite` have traits of the same name for the same readers. Import only one
/// of these traits: two of them make method calls ambiguous.
///
/// # Examples
///
/// ```
/// use volt::io::AsyncReadExt;
///
/// volt::block_on(async {
///     let mut reader: &[u8] = b"\x00\x05hello world";
///     let len = reader.read_u16().await?;
///     let mut word = vec![0; len.into()];
///     reader.read_exact(&mut word).await?;
///     let mut rest = String::new();
///     reader.read_to_string(&mut rest).await?;
///     assert_eq!((&word[..], &rest[..]), (&b"hello"[..], " world"));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait AsyncReadExt: AsyncRead {
    /// Reads into the buffer, and returns the number of bytes. Zero means the end of the stream or
    /// an empty buffer.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was read.
    fn read<'a>(&'a mut self, buf: &'a mut [u8]) -> Read<'a, Self>
    where
        Self: Unpin,
    {
        Read::new(self, buf)
    }

    /// Reads into several buffers, in order; see [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was read.
    fn read_vectored<'a, 'b>(
        &'a mut self,
        bufs: &'a mut [IoSliceMut<'b>],
    ) -> ReadVectored<'a, 'b, Self>
    where
        Self: Unpin,
    {
        ReadVectored { reader: self, bufs }
    }

    /// Reads once, appends the bytes to the buffer, and returns their number. Zero means the end of
    /// the stream.
    ///
    /// It reads at most as many bytes as the buffer has spare capacity for. The buffer grows only
    /// if it is full.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it is ready, nothing was read, and the buffer is unchanged.
    fn read_buf<'a, B>(&'a mut self, buf: &'a mut B) -> ReadBuf<'a, Self, B>
    where
        Self: Unpin,
        B: GrowableBytes,
    {
        ReadBuf { reader: self, buf }
    }

    /// Reads until the buffer is full.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader, and [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof)
    /// if the stream ends before the buffer is full.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** bytes that were read before the drop are in the buffer, but their
    /// number is lost.
    fn read_exact<'a>(&'a mut self, buf: &'a mut [u8]) -> ReadExact<'a, Self>
    where
        Self: Unpin,
    {
        ReadExact::new(self, buf)
    }

    /// Reads to the end of the stream, appends all bytes to the vector, and returns their number.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader. The vector then has the bytes that were read before.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: bytes that were read are in the vector, and another call continues after them.
    fn read_to_end<'a>(&'a mut self, buf: &'a mut Vec<u8>) -> ReadToEnd<'a, Self>
    where
        Self: Unpin,
    {
        ReadToEnd::new(self, buf)
    }

    /// Reads to the end of the stream, appends the text to the string, and returns the number of
    /// its bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader. The text that was read is then in the string, and another
    /// call appends the rest.
    ///
    /// Returns [`InvalidData`](std::io::ErrorKind::InvalidData) if the stream is not UTF-8. The
    /// string is then unchanged, and the bytes that were read are lost.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the next call gets the same string, which contains the text that was read. An
    /// exception is a character of which only the first bytes have arrived. A drop loses these
    /// bytes, and the next call returns `InvalidData`. [`read_to_end`](Self::read_to_end) keeps
    /// them.
    fn read_to_string<'a>(&'a mut self, buf: &'a mut String) -> ReadToString<'a, Self>
    where
        Self: Unpin,
    {
        ReadToString::new(self, buf)
    }

    numbers! {
        u8: read_u8;
        u16: read_u16, read_u16_le;
        u32: read_u32, read_u32_le;
        u64: read_u64, read_u64_le;
        u128: read_u128, read_u128_le;
        i8: read_i8;
        i16: read_i16, read_i16_le;
        i32: read_i32, read_i32_le;
        i64: read_i64, read_i64_le;
        i128: read_i128, read_i128_le;
        f32: read_f32, read_f32_le;
        f64: read_f64, read_f64_le;
    }

    /// Returns a reader that ends after `limit` bytes, or at the end of this reader.
    fn take(self, limit: u64) -> Take<Self>
    where
        Self: Sized,
    {
        Take::new(self, limit)
    }

    /// Returns a reader that continues with `next` at the end of this reader.
    fn chain<B: AsyncRead>(self, next: B) -> Chain<Self, B>
    where
        Self: Sized,
    {
        Chain::new(self, next)
    }
}

impl<R: AsyncRead + ?Sized> AsyncReadExt for R {}
