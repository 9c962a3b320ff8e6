//! A connection in memory, for tests and for protocols within one program.
//!
//! ```text
//!   near ──writes──► [ pipe of `capacity` bytes ] ──reads──► far
//!        ◄──reads─── [ pipe of `capacity` bytes ] ◄─writes──
//! ```

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use futures_io::{AsyncRead, AsyncWrite};

use crate::loom::sync::{Arc, Mutex, MutexGuard};
use crate::task::{poll_proceed, poll_spent};

/// Creates a connection in memory, and returns its two ends. Each end is a reader and a writer.
///
/// Each direction stores at most `capacity` bytes. A write waits until there is room. The
/// connection needs no runtime.
///
/// # Panics
///
/// Panics if `capacity` is zero.
///
/// # Examples
///
/// ```
/// use volt::io::{AsyncReadExt, AsyncWriteExt, duplex};
///
/// volt::block_on(async {
///     let (mut near, mut far) = duplex(16);
///     let server = volt::spawn(async move {
///         let mut question = [0; 4];
///         far.read_exact(&mut question).await?;
///         far.write_all(&question.map(|byte| byte.to_ascii_uppercase())).await
///     });
///     near.write_all(b"ping").await?;
///     let mut answer = String::new();
///     near.read_to_string(&mut answer).await?;
///     assert_eq!(answer, "PING");
///     server.await?
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn duplex(capacity: usize) -> (DuplexStream, DuplexStream) {
    assert!(capacity > 0, "`capacity` must be at least 1");
    let (there, back) = (Arc::new(Pipe::new(capacity)), Arc::new(Pipe::new(capacity)));
    let near = DuplexStream {
        read: Arc::clone(&back),
        write: Arc::clone(&there),
    };
    let far = DuplexStream {
        read: there,
        write: back,
    };
    (near, far)
}

/// One end of a connection in memory, created by [`duplex`].
///
/// After a drop, the other end reads the stored bytes and then the end of the stream, and its
/// writes fail. [`close`](crate::io::AsyncWriteExt::close) ends the reads of the other end only.
pub struct DuplexStream {
    read: Arc<Pipe>,
    write: Arc<Pipe>,
}

/// One direction of a connection.
struct Pipe {
    state: Mutex<PipeState>,
}

struct PipeState {
    bytes: VecDeque<u8>,
    capacity: usize,
    /// The writer was closed or dropped.
    is_closed: bool,
    /// The reader was dropped.
    is_reader_dropped: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl PipeState {
    /// Returns `true` if writes fail.
    fn is_broken(&self) -> bool {
        self.is_reader_dropped || self.is_closed
    }

    fn free(&self) -> usize {
        self.capacity - self.bytes.len()
    }
}

impl Pipe {
    fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(PipeState {
                bytes: VecDeque::new(),
                capacity,
                is_closed: false,
                is_reader_dropped: false,
                reader: None,
                writer: None,
            }),
        }
    }

    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let must_wait =
            |state: &PipeState| state.bytes.is_empty() && !state.is_closed && !buf.is_empty();
        let waiting = self.lock_or_register(cx.waker(), must_wait, |state| &mut state.reader);
        let Some((_unused, mut state)) = waiting else {
            return Poll::Pending;
        };
        let count = io::Read::read(&mut state.bytes, buf)?;
        let writer = state.writer.take();
        drop(state);
        wake(writer);
        Poll::Ready(Ok(count))
    }

    fn poll_write(&self, cx: &mut Context<'_>, bufs: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let is_empty = bufs.iter().all(|buf| buf.is_empty());
        let must_wait = |state: &PipeState| !state.is_broken() && state.free() == 0 && !is_empty;
        let waiting = self.lock_or_register(cx.waker(), must_wait, |state| &mut state.writer);
        let Some((_unused, mut state)) = waiting else {
            return Poll::Pending;
        };
        if state.is_broken() {
            return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
        }
        let before = state.bytes.len();
        for buf in bufs {
            let count = state.free().min(buf.len());
            state.bytes.extend(&buf[..count]);
        }
        let count = state.bytes.len() - before;
        let reader = state.reader.take();
        drop(state);
        wake(reader);
        Poll::Ready(Ok(count))
    }

    /// Returns the locked state. If the caller must wait, stores the waker in `slot` and returns
    /// `None`.
    ///
    /// A waker is foreign code that may use this pipe, so it is cloned and dropped outside of the
    /// lock. The returned waker is a clone that was not stored.
    fn lock_or_register(
        &self,
        waker: &Waker,
        must_wait: impl Fn(&PipeState) -> bool,
        slot: impl Fn(&mut PipeState) -> &mut Option<Waker>,
    ) -> Option<(Option<Waker>, MutexGuard<'_, PipeState>)> {
        let mut cloned = None;
        loop {
            let mut state = self.state.lock();
            if !must_wait(&state) {
                return Some((cloned, state));
            }
            let slot = slot(&mut state);
            if slot.as_ref().is_some_and(|known| known.will_wake(waker)) {
                return None;
            }
            let Some(cloned) = cloned.take() else {
                drop(state);
                cloned = Some(waker.clone());
                continue;
            };
            let replaced = slot.replace(cloned);
            drop(state);
            drop(replaced);
            return None;
        }
    }

    fn close_write(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        let reader = state.reader.take();
        drop(state);
        wake(reader);
    }

    /// Drops the bytes that were not read.
    fn close_read(&self) {
        let mut state = self.state.lock();
        state.is_reader_dropped = true;
        state.bytes = VecDeque::new();
        let writer = state.writer.take();
        drop(state);
        wake(writer);
    }
}

/// Calls a waker, which is foreign code. The lock must not be held.
fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

impl AsyncRead for DuplexStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let budget = ready!(poll_proceed(cx));
        let polled = ready!(self.read.poll_read(cx, buf));
        budget.made_progress();
        Poll::Ready(polled)
    }
}

impl AsyncWrite for DuplexStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(buf)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let budget = ready!(poll_proceed(cx));
        let polled = ready!(self.write.poll_write(cx, bufs));
        budget.made_progress();
        Poll::Ready(polled)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        poll_spent(cx).map(Ok)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(poll_spent(cx));
        self.write.close_write();
        Poll::Ready(Ok(()))
    }
}

impl Drop for DuplexStream {
    fn drop(&mut self) {
        self.write.close_write();
        self.read.close_read();
    }
}

impl fmt::Debug for DuplexStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DuplexStream").finish_non_exhaustive()
    }
}

#[cfg(all(test, not(loom)))]
#[path = "duplex_tests.rs"]
mod tests;
