//! The future that writes a number.

use std::fmt;
use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::AsyncWrite;

use super::write_once::poll_write_all;
use crate::io::number::{BigEndian, Endian, Number};

/// The future of `write_u8`, `write_u16_le` and similar methods; see
/// [`AsyncWriteExt`](super::write_ext::AsyncWriteExt).
#[must_use = "futures do nothing unless polled"]
pub struct WriteNumber<'a, W: ?Sized, N: Number, O = BigEndian> {
    bytes: N::Bytes,
    written: usize,
    writer: &'a mut W,
    order: PhantomData<fn(O)>,
}

impl<'a, W: ?Sized, N: Number, O: Endian> WriteNumber<'a, W, N, O> {
    pub(super) fn new(writer: &'a mut W, number: N) -> Self {
        Self {
            bytes: O::encode(number),
            written: 0,
            writer,
            order: PhantomData,
        }
    }
}

impl<W, N, O> Future for WriteNumber<'_, W, N, O>
where
    W: AsyncWrite + Unpin + ?Sized,
    N: Number,
    O: Endian,
{
    type Output = io::Result<()>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        poll_write_all(cx, this.writer, this.bytes.as_ref(), &mut this.written)
    }
}

impl<W: ?Sized, N: Number, O> fmt::Debug for WriteNumber<'_, W, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteNumber")
            .field("bytes", &self.bytes)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}
