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
use crate::machine::{Leaf, LeafCall};

/// The future of `read_u8`, `read_u16_le` and the like; see
/// [`AsyncReadExt`](super::read_ext::AsyncReadExt).
#[must_use = "futures do nothing unless polled"]
pub struct ReadNumber<'a, R: ?Sized, N: Number, O = BigEndian> {
    call: ReadNumberCall<R, N, O>,
    reader: &'a mut R,
}

impl<'a, R, N, O> ReadNumber<'a, R, N, O>
where
    R: AsyncRead + Unpin + ?Sized,
    N: Number,
    O: Endian,
{
    pub(super) fn new(reader: &'a mut R) -> Self {
        let call = ReadNumberCall {
            bytes: N::Bytes::default(),
            filled: 0,
            of: PhantomData,
        };
        Self { call, reader }
    }

    #[doc(hidden)]
    pub fn into_machine(self) -> Leaf<ReadNumberCall<R, N, O>> {
        Leaf::new(self.call)
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
        this.call.poll(cx, (this.reader,))
    }
}

/// What is left of a [`ReadNumber`] without what it is lent.
pub struct ReadNumberCall<R: ?Sized, N: Number, O> {
    bytes: N::Bytes,
    filled: usize,
    of: PhantomData<fn(&R, O)>,
}

impl<R, N, O> LeafCall for ReadNumberCall<R, N, O>
where
    R: AsyncRead + Unpin + ?Sized,
    N: Number,
    O: Endian,
{
    type Lent<'a>
        = (&'a mut R,)
    where
        Self: 'a;
    type Output = io::Result<N>;

    fn poll(&mut self, cx: &mut Context<'_>, (reader,): Self::Lent<'_>) -> Poll<Self::Output> {
        let bytes = self.bytes.as_mut();
        ready!(poll_fill(cx, reader, bytes, &mut self.filled))?;
        Poll::Ready(Ok(O::decode(self.bytes)))
    }
}

impl<R: ?Sized, N: Number, O> fmt::Debug for ReadNumber<'_, R, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadNumber")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

impl<R: ?Sized, N: Number, O> fmt::Debug for ReadNumberCall<R, N, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadNumberCall")
            .field("filled", &self.filled)
            .finish_non_exhaustive()
    }
}
