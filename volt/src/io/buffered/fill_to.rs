//! `BufReader::fill_to`, and the methods that read numbers through it.

use std::fmt;
use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead};

use super::buf_reader::BufReader;
use crate::io::number::{BigEndian, Endian, LittleEndian, Number};
use crate::task::poll_leaf;

/// The future of [`BufReader::fill_to`].
#[must_use = "futures do nothing unless polled"]
pub struct FillTo<'a, R> {
    /// `None` after completion.
    reader: Option<&'a mut BufReader<R>>,
    count: usize,
}

impl<'a, R: AsyncRead + Unpin> Future for FillTo<'a, R> {
    type Output = io::Result<&'a [u8]>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let count = self.count;
        let reader = self.reader.as_mut();
        let reader = reader.expect("`FillTo` polled after completion");
        let filled = ready!(poll_leaf(cx, |cx| reader.poll_fill_to(cx, count)));
        let reader = self.reader.take();
        Poll::Ready(filled.map(|()| reader.map_or(&[][..], |reader| reader.buffer())))
    }
}

/// The future of `read_u8`, `read_u16_le` and similar methods of a [`BufReader`].
#[must_use = "futures do nothing unless polled"]
pub struct ReadBuffered<'a, R, N, O = BigEndian> {
    reader: &'a mut BufReader<R>,
    number: PhantomData<fn() -> (N, O)>,
}

impl<'a, R, N, O> ReadBuffered<'a, R, N, O> {
    fn new(reader: &'a mut BufReader<R>) -> Self {
        Self {
            reader,
            number: PhantomData,
        }
    }
}

impl<R: AsyncRead + Unpin, N: Number, O: Endian> Future for ReadBuffered<'_, R, N, O> {
    type Output = io::Result<N>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let reader = &mut *self.reader;
        let mut bytes = N::Bytes::default();
        let place = bytes.as_mut();
        ready!(poll_leaf(cx, |cx| reader.poll_fill_to(cx, place.len())))?;
        place.copy_from_slice(&reader.buffer()[..place.len()]);
        Pin::new(reader).consume(place.len());
        Poll::Ready(Ok(O::decode(bytes)))
    }
}

/// Declares the methods that read numbers, each in both orders.
macro_rules! numbers {
    ($($number:ty: $big:ident $(, $little:ident)?;)*) => {$(
        #[doc = concat!("Reads a `", stringify!($number), "`, the most significant byte first.")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`fill_to`](Self::fill_to).
        ///
        /// # Cancel safety
        ///
        /// Cancel safe: the bytes that have arrived stay in the buffer.
        pub fn $big(&mut self) -> ReadBuffered<'_, R, $number> {
            ReadBuffered::<_, _, BigEndian>::new(self)
        }

        $(#[doc = concat!("Reads a `", stringify!($number), "`, the least significant byte first.")]
        ///
        /// # Errors
        ///
        /// Returns the errors of [`fill_to`](Self::fill_to).
        ///
        /// # Cancel safety
        ///
        /// Cancel safe: the bytes that have arrived stay in the buffer.
        pub fn $little(&mut self) -> ReadBuffered<'_, R, $number, LittleEndian> {
            ReadBuffered::new(self)
        })?
    )*};
}

/// Methods that read numbers. They take precedence over the methods of
/// [`AsyncReadExt`](crate::io::AsyncReadExt), which lose bytes that have arrived if they fail or
/// are dropped.
impl<R: AsyncRead + Unpin> BufReader<R> {
    /// Waits until the buffer has at least `count` bytes, and returns its content. Call
    /// [`consume`](crate::io::AsyncBufReadExt::consume) with the number of bytes that were used.
    /// The buffer grows if it is smaller.
    ///
    /// # Errors
    ///
    /// Returns the errors of the reader, and [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the
    /// stream ends first. The bytes that have arrived stay in the buffer.
    ///
    /// # Panics
    ///
    /// The future panics if it is polled after completion.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: the bytes that have arrived stay in the buffer.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt::io::{AsyncBufReadExt, BufReader};
    ///
    /// volt::block_on(async {
    ///     let mut reader = BufReader::new(&b"\x05hello world"[..]);
    ///     let len = usize::from(reader.fill_to(1).await?[0]);
    ///     assert_eq!(&reader.fill_to(1 + len).await?[1..][..len], b"hello");
    ///     reader.consume(1 + len);
    ///     assert_eq!(reader.buffer(), b" world");
    ///     std::io::Result::Ok(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn fill_to(&mut self, count: usize) -> FillTo<'_, R> {
        FillTo {
            reader: Some(self),
            count,
        }
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
}

impl<R> fmt::Debug for FillTo<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FillTo")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl<R, N, O> fmt::Debug for ReadBuffered<'_, R, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadBuffered").finish_non_exhaustive()
    }
}
