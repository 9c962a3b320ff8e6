//! `BufReader`: a reader that reads ahead.

use std::fmt;
use std::io::{self, IoSlice, IoSliceMut, SeekFrom};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead, AsyncSeek, AsyncWrite};
use pin_project_lite::pin_project;

use super::pending_seek::PendingSeek;
use crate::task::{poll_leaf, poll_spent};

/// The default size of a buffer, in bytes.
pub(super) const DEFAULT_CAPACITY: usize = 8 * 1024;

pin_project! {
    /// A reader that reads large chunks, and returns them in the pieces that its caller requests.
    ///
    /// Writes pass through unbuffered, so a `BufReader<TcpStream>` can answer requests. For
    /// buffered writes, wrap a [`BufWriter`](super::BufWriter):
    /// `BufReader::new(BufWriter::new(stream))`.
    ///
    /// # Cancel safety
    ///
    /// Buffered bytes belong to the reader, so a dropped future loses none of them.
    /// [`into_inner`](Self::into_inner) drops the bytes in [`buffer`](Self::buffer).
    ///
    /// A seek that has begun takes place even if its future is dropped. The next operation awaits
    /// it first.
    ///
    /// # Examples
    ///
    /// ```
    /// use volt::io::{AsyncBufReadExt, BufReader};
    ///
    /// volt::block_on(async {
    ///     let mut lines = BufReader::new(&b"one\ntwo\r\nthree"[..]).lines();
    ///     while let Some(line) = lines.next_line().await? {
    ///         assert!(["one", "two", "three"].contains(&&line[..]));
    ///     }
    ///     std::io::Result::Ok(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub struct BufReader<R> {
        #[pin]
        inner: R,
        buf: Box<[u8]>,
        from: usize,
        to: usize,
        // Boxed, because it is rare and large.
        seek: Option<Box<PendingSeek<R>>>,
    }
}

impl<R> BufReader<R> {
    /// Creates a reader with a buffer of 8 KiB.
    pub fn new(inner: R) -> Self {
        Self::with_capacity(DEFAULT_CAPACITY, inner)
    }

    /// Creates a reader with a buffer of `capacity` bytes, and at least one.
    pub fn with_capacity(capacity: usize, inner: R) -> Self {
        Self {
            inner,
            buf: vec![0; capacity.max(1)].into_boxed_slice(),
            from: 0,
            to: 0,
            seek: None,
        }
    }

    /// Returns a reference to the inner reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns a mutable reference to the inner reader. Bytes that are read from it directly come
    /// after the buffered bytes in the stream.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. The buffered bytes are dropped.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Returns the buffered bytes.
    pub fn buffer(&self) -> &[u8] {
        &self.buf[self.from..self.to]
    }

    /// Returns the size of the buffer, in bytes.
    pub fn capacity(&self) -> usize {
        self.buf.len()
    }
}

impl<R: AsyncRead + Unpin> BufReader<R> {
    /// Reads until the buffer has at least `count` bytes.
    pub(super) fn poll_fill_to(
        &mut self,
        cx: &mut Context<'_>,
        count: usize,
    ) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut *self).poll_pending_seek(cx));
        while self.buffer().len() < count {
            self.make_room(count);
            let room = &mut self.buf[self.to..];
            let most = room.len();
            let inner = Pin::new(&mut self.inner);
            let read = ready!(poll_leaf(cx, |cx| inner.poll_read(cx, room)))?;
            if read == 0 {
                return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
            }
            self.to += read.min(most);
        }
        Poll::Ready(Ok(()))
    }

    /// Makes room for `count` bytes, including the buffered ones.
    fn make_room(&mut self, count: usize) {
        if self.buf.len() - self.from >= count {
            return;
        }
        self.buf.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        if self.buf.len() < count {
            let mut buf = mem::take(&mut self.buf).into_vec();
            buf.resize(count, 0);
            self.buf = buf.into_boxed_slice();
        }
    }
}

impl<R> BufReader<R> {
    /// Awaits a seek whose future was dropped. If it fails, the position and the buffer stay.
    fn poll_pending_seek(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.seek.is_none() {
            return Poll::Ready(());
        }
        self.poll_begun_seek(cx)
    }

    #[cold]
    fn poll_begun_seek(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        if let Some(seek) = this.seek {
            // The future that would return the result was dropped.
            let _ = ready!(seek.poll(this.inner, cx, (this.from, this.to)));
            *this.seek = None;
        }
        Poll::Ready(())
    }
}

impl<R: AsyncRead> AsyncRead for BufReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if buf.is_empty() {
            return poll_spent(cx).map(|()| Ok(0));
        }
        ready!(self.as_mut().poll_pending_seek(cx));
        if self.buffer().is_empty() && buf.len() >= self.capacity() {
            return self.project().inner.poll_read(cx, buf);
        }
        let filled = ready!(self.as_mut().poll_fill_buf(cx))?;
        let read = filled.len().min(buf.len());
        buf[..read].copy_from_slice(&filled[..read]);
        self.consume(read);
        Poll::Ready(Ok(read))
    }

    fn poll_read_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        let wanted: usize = bufs.iter().map(|buf| buf.len()).sum();
        if wanted == 0 {
            return poll_spent(cx).map(|()| Ok(0));
        }
        ready!(self.as_mut().poll_pending_seek(cx));
        if self.buffer().is_empty() && wanted >= self.capacity() {
            return self.project().inner.poll_read_vectored(cx, bufs);
        }
        let mut filled = ready!(self.as_mut().poll_fill_buf(cx))?;
        let read = io::Read::read_vectored(&mut filled, bufs)?;
        self.consume(read);
        Poll::Ready(Ok(read))
    }
}

impl<R: AsyncRead> AsyncBufRead for BufReader<R> {
    fn poll_fill_buf(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        ready!(self.as_mut().poll_pending_seek(cx));
        let this = self.project();
        if this.from == this.to {
            (*this.from, *this.to) = (0, 0);
            let read = ready!(this.inner.poll_read(cx, this.buf))?;
            *this.to = read.min(this.buf.len());
        }
        Poll::Ready(Ok(&this.buf[*this.from..*this.to]))
    }

    fn consume(self: Pin<&mut Self>, amount: usize) {
        let this = self.project();
        *this.from = this.from.saturating_add(amount).min(*this.to);
    }
}

impl<R: AsyncSeek> AsyncSeek for BufReader<R> {
    /// Drops the buffered bytes. `SeekFrom::Current` counts from the position of the next byte that
    /// a read would return.
    fn poll_seek(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        to: SeekFrom,
    ) -> Poll<io::Result<u64>> {
        let this = self.project();
        let buffered = (this.from, this.to);
        if let Some(seek) = this.seek {
            seek.append(to);
            let result = ready!(seek.poll(this.inner, cx, buffered));
            *this.seek = None;
            return Poll::Ready(result);
        }
        let mut seek = PendingSeek::new(to);
        let polled = seek.poll(this.inner, cx, buffered);
        if polled.is_pending() {
            *this.seek = Some(Box::new(seek));
        }
        polled
    }
}

impl<R: AsyncWrite> AsyncWrite for BufReader<R> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_pending_seek(cx));
        self.project().inner.poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_pending_seek(cx));
        self.project().inner.poll_write_vectored(cx, bufs)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().inner.poll_flush(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().inner.poll_close(cx)
    }
}

impl<R: fmt::Debug> fmt::Debug for BufReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufReader")
            .field("inner", &self.inner)
            .field("buffered", &self.buffer().len())
            .field("capacity", &self.capacity())
            .finish()
    }
}
