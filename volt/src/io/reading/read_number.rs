//! The future that reads a number.

use std::fmt;
use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::AsyncRead;

use super::read_all::poll_fill;
use crate::io::number::{BigEndian, Endian, Number};

/// The future of `read_u8`, `read_u16_le` and similar methods; see
/// [`AsyncReadExt`](super::read_ext::AsyncReadExt).
#[must_use = "futures do nothing unless polled"]
pub struct ReadNumber<'a, R: ?Sized, N: Number, O = BigEndian> {
    reader: &'a mut R,
    bytes: N::Bytes,
    filled: usize,
    order: PhantomData<fn(O)>,
}

impl<'a, R, N, O> ReadNumber<'a, R, N, O>
where
    R: AsyncRead + Unpin + ?Sized,
    N: Number,
    O: Endian,
{
    pub(super) fn new(reader: &'a mut R) -> Self {
        Self {
            reader,
            bytes: N::Bytes::default(),
            filled: 0,
            order: PhantomData,
        }
    }
}

impl<R, N, O> Future for ReadNumber<'_, R, N, O>
where
    R: AsyncRead + Unpin + ?Sized,
    N: Number,
    O: Endian,
{
    type Output = io::Result<N>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let bytes = this.bytes.as_mut();
        ready!(poll_fill(cx, this.reader, bytes, &mut this.filled))?;
        Poll::Ready(Ok(O::decode(this.bytes)))
    }
}

impl<R: ?Sized, N: Number, O> fmt::Debug for ReadNumber<'_, R, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadNumber")
            .field("filled", &self.filled)
            .finish_non_exhaustive()
    }
}
