//! `BufWriter`: a writer that collects small writes.

use std::fmt;
use std::io::{self, IoSlice, IoSliceMut, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead, AsyncSeek, AsyncWrite};
use pin_project_lite::pin_project;

use super::buf_reader::DEFAULT_CAPACITY;
use crate::task::poll_spent;

pin_project! {
    /// A writer that collects small writes, and writes them together.
    ///
    /// **A drop loses the buffered bytes,** because a destructor cannot wait. Call
    /// [`flush`](crate::io::AsyncWriteExt::flush) or [`close`](crate::io::AsyncWriteExt::close)
    /// first.
    ///
    /// # Cancel safety
    ///
    /// Bytes that a write has accepted belong to the writer. A dropped `flush` has written a part
    /// of them, and the next `flush` writes the rest.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt::io::{AsyncWriteExt, BufWriter};
    ///
    /// volt::block_on(async {
    ///     let mut writer = BufWriter::new(Vec::new());
    ///     for n in 0..3 {
    ///         writer.write_all(format!("{n};").as_bytes()).await?;
    ///     }
    ///     assert!(writer.get_ref().is_empty());
    ///     writer.flush().await?;
    ///     assert_eq!(writer.into_inner(), b"0;1;2;");
    ///     std::io::Result::Ok(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub struct BufWriter<W> {
        #[pin]
        inner: W,
        buf: Vec<u8>,
        capacity: usize,
        // The number of bytes of `buf` that were written to `inner`.
        sent: usize,
    }
}

impl<W> BufWriter<W> {
    /// Creates a writer with a buffer of 8 KiB.
    pub fn new(inner: W) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner)
    }

    /// Creates a writer with a buffer of `capacity` bytes. Longer writes pass through unbuffered.
    pub fn with_capacity(capacity: usize, inner: W) -> Self {
        Self {
            inner,
            buf: Vec::with_capacity(capacity),
            capacity,
            sent: 0,
        }
    }

    /// Returns a reference to the inner writer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns a mutable reference to the inner writer. Bytes that are written to it directly
    /// precede the buffered bytes.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the inner writer. The buffered bytes are dropped, so flush first.
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// Returns the buffered bytes.
    pub fn buffer(&self) -> &[u8] {
        &self.buf[self.sent..]
    }

    /// Returns the size of the buffer, in bytes.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

impl<W: AsyncWrite> BufWriter<W> {
    /// Writes the buffered bytes to the inner writer.
    fn poll_send(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut this = self.project();
        while let Some(rest) = this.buf.get(*this.sent..).filter(|rest| !rest.is_empty()) {
            match ready!(this.inner.as_mut().poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                n => *this.sent += n,
            }
        }
        this.buf.clear();
        *this.sent = 0;
        Poll::Ready(Ok(()))
    }

    /// Makes room for `len` bytes. Returns `true` if they fit into the buffer.
    fn poll_room(self: Pin<&mut Self>, cx: &mut Context<'_>, len: usize) -> Poll<io::Result<bool>> {
        let (buffered, capacity) = (self.buf.len(), self.capacity);
        if buffered.saturating_add(len) > capacity {
            ready!(self.poll_send(cx))?;
        }
        Poll::Ready(Ok(len < capacity))
    }
}

impl<W: AsyncWrite> AsyncWrite for BufWriter<W> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !ready!(self.as_mut().poll_room(cx, buf.len()))? {
            return self.project().inner.poll_write(cx, buf);
        }
        if buf.is_empty() {
            return poll_spent(cx).map(|()| Ok(0));
        }
        self.project().buf.extend_from_slice(buf);
        Poll::Ready(Ok(buf.len()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let len: usize = bufs.iter().map(|buf| buf.len()).sum();
        if !ready!(self.as_mut().poll_room(cx, len))? {
            return self.project().inner.poll_write_vectored(cx, bufs);
        }
        if len == 0 {
            return poll_spent(cx).map(|()| Ok(0));
        }
        let buffered = self.project().buf;
        for buf in bufs {
            buffered.extend_from_slice(buf);
        }
        Poll::Ready(Ok(len))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_send(cx))?;
        self.project().inner.poll_flush(cx)
    }

    fn poll_close(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.as_mut().poll_send(cx))?;
        self.project().inner.poll_close(cx)
    }
}

impl<W: AsyncWrite + AsyncSeek> AsyncSeek for BufWriter<W> {
    /// Writes the buffered bytes first.
    fn poll_seek(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        ready!(self.as_mut().poll_send(cx))?;
        self.project().inner.poll_seek(cx, to)
    }
}

impl<W: AsyncRead> AsyncRead for BufWriter<W> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.project().inner.poll_read(cx, buf)
    }

    fn poll_read_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        self.project().inner.poll_read_vectored(cx, bufs)
    }
}

impl<W: AsyncBufRead> AsyncBufRead for BufWriter<W> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        self.project().inner.poll_fill_buf(cx)
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        self.project().inner.consume(amount);
    }
}

impl<W: fmt::Debug> fmt::Debug for BufWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufWriter")
            .field("inner", &self.inner)
            .field("buffered", &self.buffer().len())
            .field("capacity", &self.capacity)
            .finish()
    }
}
