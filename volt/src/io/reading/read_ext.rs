//! The methods of every reader.

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
        /// As [`read_exact`](Self::read_exact).
        ///
        /// # Cancel safety
        ///
        /// **Not cancel safe:** the bytes that were read so far are lost with the future. A
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
        /// As [`read_exact`](Self::read_exact).
        ///
        /// # Cancel safety
        ///
        /// **Not cancel safe:** the bytes that were read so far are lost with the future. A
        /// [`BufReader`](crate::io::BufReader) has methods of the same names that keep them.
        fn $little(&mut self) -> ReadNumber<'_, Self, $number, LittleEndian>
        where
            Self: Unpin,
        {
            ReadNumber::new(self)
        })?
    )*};
}

/// What can be done with every [`AsyncRead`] of `futures-io`.
///
/// The traits of the same name in `futures` and `futures-lite` do the same with the same readers.
/// Import one of them: where two are imported, the compiler asks which is meant.
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
    /// Reads into the buffer and returns how many bytes came; zero is the end of the stream, or an
    /// empty buffer.
    ///
    /// # Errors
    ///
    /// Fails as the reader does.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it was ready, nothing was read.
    fn read<'a>(&'a mut self, buf: &'a mut [u8]) -> Read<'a, Self>
    where
        Self: Unpin,
    {
        Read::new(self, buf)
    }

    /// As [`read`](Self::read), into several buffers, one after the other.
    ///
    /// # Errors
    ///
    /// Fails as the reader does.
    ///
    /// # Cancel safety
    ///
    /// As [`read`](Self::read).
    fn read_vectored<'a, 'b>(
        &'a mut self,
        bufs: &'a mut [IoSliceMut<'b>],
    ) -> ReadVectored<'a, 'b, Self>
    where
        Self: Unpin,
    {
        ReadVectored { reader: self, bufs }
    }

    /// Reads once, appends what came to the vector, and returns how many bytes that were; zero is
    /// the end of the stream.
    ///
    /// It reads no more than the vector has capacity for, and makes room only where there is none.
    ///
    /// # Errors
    ///
    /// Fails as the reader does.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped before it was ready, nothing was read, and the vector is as it was.
    fn read_buf<'a, B>(&'a mut self, buf: &'a mut B) -> ReadBuf<'a, Self, B>
    where
        Self: Unpin,
        B: GrowableBytes,
    {
        ReadBuf { reader: self, buf }
    }

    /// Fills the buffer.
    ///
    /// # Errors
    ///
    /// Fails as the reader does, and with [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof) when
    /// the stream ends first.
    ///
    /// # Cancel safety
    ///
    /// **Not cancel safe:** what was read so far stands in the buffer, and how much it was is lost
    /// with the future.
    fn read_exact<'a>(&'a mut self, buf: &'a mut [u8]) -> ReadExact<'a, Self>
    where
        Self: Unpin,
    {
        ReadExact::new(self, buf)
    }

    /// Appends everything up to the end of the stream to the vector, and returns how much it was.
    ///
    /// # Errors
    ///
    /// Fails as the reader does; what was read before stands in the vector.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: what was read so far stands in the vector, and another call goes on from there.
    fn read_to_end<'a>(&'a mut self, buf: &'a mut Vec<u8>) -> ReadToEnd<'a, Self>
    where
        Self: Unpin,
    {
        ReadToEnd::new(self, buf)
    }

    /// Appends everything up to the end of the stream to the string, and returns how many bytes it
    /// was.
    ///
    /// # Errors
    ///
    /// Fails as the reader does. The text that was read is then in the string, and another call
    /// appends the rest.
    ///
    /// Fails with [`InvalidData`](std::io::ErrorKind::InvalidData) if the stream is not UTF-8. The
    /// string is then as it was before the call, and the bytes that were read are lost.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe if the next call gets the same string: the text that was read is in it. One part
    /// cannot be in a string: the first bytes of a character whose other bytes have not arrived.
    /// They are lost with the future, and the next call fails with `InvalidData`.
    /// [`read_to_end`](Self::read_to_end) keeps them.
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

    /// A reader that ends after this many bytes, or where this one does.
    fn take(self, limit: u64) -> Take<Self>
    where
        Self: Sized,
    {
        Take::new(self, limit)
    }

    /// A reader of this one, and behind its end of another.
    fn chain<B: AsyncRead>(self, next: B) -> Chain<Self, B>
    where
        Self: Sized,
    {
        Chain::new(self, next)
    }
}

impl<R: AsyncRead + ?Sized> AsyncReadExt for R {}
