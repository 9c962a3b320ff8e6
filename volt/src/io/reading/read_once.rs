//! Futures that read once.

use std::fmt;
use std::future::Future;
use std::io::{self, IoSliceMut};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::AsyncRead;

use crate::io::future_macro::io_future;
use crate::io::growable::{GrowableBytes, SpareCapacity};
use crate::task::poll_leaf;

/// The largest number of bytes that `read_buf` reads. As many bytes are zeroed before each read.
const MAX_READ: usize = 64 * 1024;

io_future! {
    /// The future of [`AsyncReadExt::read`](super::read_ext::AsyncReadExt::read).
    Read on AsyncRead [buf: &'a mut [u8]] -> io::Result<usize>,
    |cx, reader| poll_leaf(cx, |cx| Pin::new(reader).poll_read(cx, buf))
}

/// The future of [`AsyncReadExt::read_vectored`](super::read_ext::AsyncReadExt::read_vectored).
#[must_use = "futures do nothing unless polled"]
pub struct ReadVectored<'a, 'b, R: ?Sized> {
    pub(super) reader: &'a mut R,
    pub(super) bufs: &'a mut [IoSliceMut<'b>],
}

impl<R: AsyncRead + Unpin + ?Sized> Future for ReadVectored<'_, '_, R> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        poll_leaf(cx, |cx| {
            Pin::new(&mut *this.reader).poll_read_vectored(cx, this.bufs)
        })
    }
}

impl<R: ?Sized> fmt::Debug for ReadVectored<'_, '_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadVectored").finish_non_exhaustive()
    }
}

/// The future of [`AsyncReadExt::read_buf`](super::read_ext::AsyncReadExt::read_buf).
#[must_use = "futures do nothing unless polled"]
pub struct ReadBuf<'a, R: ?Sized, B = Vec<u8>> {
    pub(super) reader: &'a mut R,
    pub(super) buf: &'a mut B,
}

impl<R: AsyncRead + Unpin + ?Sized, B: GrowableBytes> Future for ReadBuf<'_, R, B> {
    type Output = io::Result<usize>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let mut spare = SpareCapacity::of(this.buf);
        spare.grow_if_full();
        poll_leaf(cx, |cx| spare.poll_read(cx, this.reader, MAX_READ))
    }
}

impl<R: ?Sized, B> fmt::Debug for ReadBuf<'_, R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadBuf").finish_non_exhaustive()
    }
}
