//! Read and write halves of any stream.

use std::fmt;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_io::{AsyncRead, AsyncWrite};

use crate::loom::sync::{Arc, Mutex};
use crate::util::catch_and_discard;

/// Splits a stream into a read half and a write half, for two tasks.
///
/// The halves share the stream. Each poll has exclusive access to it, and a poll of the other half
/// waits until that poll has ended. Use this function for streams that are read and written by
/// `&mut`, such as TLS streams. A [`TcpStream`](crate::net::TcpStream) needs no exclusive access:
/// use its own `into_split`.
///
/// # Examples
///
/// ```
/// use volt::io::{AsyncReadExt, AsyncWriteExt, split};
/// use volt::net::UnixStream;
///
/// volt::block_on(async {
///     let (near, far) = UnixStream::pair()?;
///     let (mut reader, mut writer) = split(far);
///     let echo = volt::spawn(async move { volt::io::copy(&mut reader, &mut writer).await });
///     near.write_all(b"hello").await?;
///     let mut answer = [0; 5];
///     near.read_exact(&mut answer).await?;
///     near.shutdown(std::net::Shutdown::Write)?;
///     assert_eq!((&answer, echo.await??), (b"hello", 5));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn split<S>(stream: S) -> (ReadHalf<S>, WriteHalf<S>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let shared = Arc::new(SharedStream(Mutex::new(SplitState {
        stream: Some(Box::new(stream)),
        wakers: [None, None],
    })));
    let write = WriteHalf(Arc::clone(&shared));
    (ReadHalf(shared), write)
}

/// The read half of a stream, created by [`split`].
pub struct ReadHalf<S>(Arc<SharedStream<S>>);

/// The write half of a stream, created by [`split`].
///
/// A drop does not end the stream. [`close`](crate::io::AsyncWriteExt::close) does.
pub struct WriteHalf<S>(Arc<SharedStream<S>>);

/// The stream, and the wakers of the halves that wait for it.
///
/// No foreign code runs under the lock: neither polls of the stream nor wakers. So a waker may use
/// the other half.
struct SharedStream<S>(Mutex<SplitState<S>>);

struct SplitState<S> {
    /// `None` while a half polls it.
    stream: Option<Box<S>>,
    /// The waker of each half, indexed by [`Half`].
    wakers: [Option<Waker>; 2],
}

/// A half of a stream.
#[derive(Clone, Copy)]
enum Half {
    Read,
    Write,
}

impl<S> SharedStream<S> {
    /// Polls the stream, or waits until the other half has finished its poll.
    fn poll<R>(
        &self,
        half: Half,
        cx: &mut Context<'_>,
        poll: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<R>,
    ) -> Poll<R>
    where
        S: Unpin,
    {
        let mut cloned = None;
        loop {
            let mut state = self.0.lock();
            if let Some(stream) = state.stream.take() {
                drop(state);
                drop(cloned);
                let mut guard = PollGuard {
                    shared: self,
                    stream: Some(stream),
                };
                let stream = guard.stream.as_deref_mut();
                return poll(
                    Pin::new(stream.expect("`stream` is set until the drop")),
                    cx,
                );
            }
            let Some(waker) = cloned.take() else {
                drop(state);
                cloned = Some(cx.waker().clone());
                continue;
            };
            let replaced = state.wakers[half as usize].replace(waker);
            drop(state);
            drop(replaced);
            return Poll::Pending;
        }
    }
}

/// Exclusive access of a half to the stream. The drop returns the stream, also if the poll panics.
struct PollGuard<'a, S> {
    shared: &'a SharedStream<S>,
    /// `Some` until the drop.
    stream: Option<Box<S>>,
}

impl<S> Drop for PollGuard<'_, S> {
    fn drop(&mut self) {
        let mut state = self.shared.0.lock();
        state.stream = self.stream.take();
        let wakers = mem::take(&mut state.wakers);
        drop(state);
        for waker in wakers.into_iter().flatten() {
            // A waker is foreign code, and this drop may run during a panic.
            catch_and_discard(|| waker.wake());
        }
    }
}

impl<S> ReadHalf<S> {
    /// Returns `true` if the two are halves of one stream.
    pub fn is_pair_of(&self, write: &WriteHalf<S>) -> bool {
        Arc::ptr_eq(&self.0, &write.0)
    }

    /// Reunites the two halves of one stream.
    ///
    /// # Errors
    ///
    /// Returns both halves if they belong to different streams.
    pub fn reunite(self, write: WriteHalf<S>) -> Result<S, (Self, WriteHalf<S>)> {
        if !self.is_pair_of(&write) {
            return Err((self, write));
        }
        drop(write);
        // The two halves are the only owners.
        let shared = Arc::into_inner(self.0).expect("the other half was dropped");
        let stream = shared.0.into_inner().stream;
        Ok(*stream.expect("no half polls it"))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ReadHalf<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.0
            .poll(Half::Read, cx, |stream, cx| stream.poll_read(cx, buf))
    }

    fn poll_read_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
    ) -> Poll<io::Result<usize>> {
        self.0.poll(Half::Read, cx, |stream, cx| {
            stream.poll_read_vectored(cx, bufs)
        })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteHalf<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0
            .poll(Half::Write, cx, |stream, cx| stream.poll_write(cx, buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.0.poll(Half::Write, cx, |stream, cx| {
            stream.poll_write_vectored(cx, bufs)
        })
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0
            .poll(Half::Write, cx, |stream, cx| stream.poll_flush(cx))
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0
            .poll(Half::Write, cx, |stream, cx| stream.poll_close(cx))
    }
}

impl<S> fmt::Debug for ReadHalf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadHalf").finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for WriteHalf<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteHalf").finish_non_exhaustive()
    }
}
