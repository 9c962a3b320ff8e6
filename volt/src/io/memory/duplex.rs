//! A connection in memory, for tests and for what speaks a protocol within one program.
//!
//! ```text
//!   near ──writes──► [ pipe of so many bytes ] ──reads──► far
//!        ◄──reads─── [ pipe of so many bytes ] ◄─writes──
//! ```

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use futures_io::{AsyncRead, AsyncWrite};

use crate::loom::sync::{Arc, Mutex, MutexGuard};
use crate::task::{poll_proceed, poll_spent};

/// Makes a connection in memory and returns its two ends, each of which is read and written.
///
/// At most `capacity` bytes are on their way in each direction; a write waits for room. It needs no runtime.
///
/// # Panics
///
/// Panics if `capacity` is zero: nothing could ever be written.
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
    assert!(capacity > 0, "a connection has room for a byte at least");
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

/// One end of a connection in memory, made by [`duplex`].
///
/// Dropping it ends the other one's reading, after what is on its way, and makes its writes fail.
/// [`close`](crate::io::AsyncWriteExt::close) ends the other one's reading only.
pub struct DuplexStream {
    read: Arc<Pipe>,
    write: Arc<Pipe>,
}

/// One direction.
struct Pipe {
    state: Mutex<State>,
}

struct State {
    bytes: VecDeque<u8>,
    capacity: usize,
    /// Nothing more is written.
    ended: bool,
    /// Nobody reads any more.
    unread: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl State {
    /// Returns `true` if writes fail.
    fn is_over(&self) -> bool {
        self.unread || self.ended
    }

    fn room(&self) -> usize {
        self.capacity - self.bytes.len()
    }
}

impl Pipe {
    fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(State {
                bytes: VecDeque::new(),
                capacity,
                ended: false,
                unread: false,
                reader: None,
                writer: None,
            }),
        }
    }

    fn poll_read(&self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let must_wait = |state: &State| state.bytes.is_empty() && !state.ended && !buf.is_empty();
        let waiting = self.lock_or_wait(cx.waker(), must_wait, |state| &mut state.reader);
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
        let must_wait = |state: &State| !state.is_over() && state.room() == 0 && !is_empty;
        let waiting = self.lock_or_wait(cx.waker(), must_wait, |state| &mut state.writer);
        let Some((_unused, mut state)) = waiting else {
            return Poll::Pending;
        };
        if state.is_over() {
            return Poll::Ready(Err(ErrorKind::BrokenPipe.into()));
        }
        let before = state.bytes.len();
        for buf in bufs {
            let count = state.room().min(buf.len());
            state.bytes.extend(&buf[..count]);
        }
        let count = state.bytes.len() - before;
        let reader = state.reader.take();
        drop(state);
        wake(reader);
        Poll::Ready(Ok(count))
    }

    /// Returns the state, or stores the waker at `place` and returns `None` if the caller must
    /// wait.
    ///
    /// A waker is foreign code that may use this pipe: it is cloned and dropped outside of the
    /// lock. The returned one was not needed.
    fn lock_or_wait(
        &self,
        waker: &Waker,
        must_wait: impl Fn(&State) -> bool,
        place: impl Fn(&mut State) -> &mut Option<Waker>,
    ) -> Option<(Option<Waker>, MutexGuard<'_, State>)> {
        let mut cloned = None;
        loop {
            let mut state = self.state.lock();
            if !must_wait(&state) {
                return Some((cloned, state));
            }
            let place = place(&mut state);
            if place.as_ref().is_some_and(|known| known.will_wake(waker)) {
                return None;
            }
            let Some(cloned) = cloned.take() else {
                drop(state);
                cloned = Some(waker.clone());
                continue;
            };
            let replaced = place.replace(cloned);
            drop(state);
            drop(replaced);
            return None;
        }
    }

    fn end_writing(&self) {
        let mut state = self.state.lock();
        state.ended = true;
        let reader = state.reader.take();
        drop(state);
        wake(reader);
    }

    /// What has not been read is gone: nobody will.
    fn end_reading(&self) {
        let mut state = self.state.lock();
        state.unread = true;
        state.bytes = VecDeque::new();
        let writer = state.writer.take();
        drop(state);
        wake(writer);
    }
}

/// Outside of the lock: a waker is somebody else's code.
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
        self.write.end_writing();
        Poll::Ready(Ok(()))
    }
}

impl Drop for DuplexStream {
    fn drop(&mut self) {
        self.write.end_writing();
        self.read.end_reading();
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
