//! A connection over loopback, test bytes, and streams that transfer small pieces.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use volt::io::{AsyncRead, AsyncWrite};
use volt::net::{TcpListener, TcpStream};

pub(crate) fn run<F: Future>(future: F) -> F::Output {
    volt::Runtime::new().expect("a runtime").block_on(future)
}

/// Returns the two ends of a connection.
pub(crate) async fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let address = listener.local_addr().expect("an address");
    let near = TcpStream::connect(address).await.expect("connected");
    let (far, _) = listener.accept().await.expect("accepted");
    (near, far)
}

/// Returns bytes that mostly differ by their position.
pub(crate) fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 31 + at / 251) as u8).collect()
}

/// Polls a future once with a no-op waker.
pub(crate) fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// A reader of pieces. Each read returns one piece or a part of it. `None` makes one read wait.
#[derive(Debug, Default)]
pub(crate) struct Pieces(pub(crate) VecDeque<Option<Vec<u8>>>);

impl Pieces {
    /// Creates a reader that waits after each piece.
    pub(crate) fn new<const N: usize>(pieces: [&str; N]) -> Self {
        Self::of(pieces.map(str::as_bytes))
    }

    /// Creates a reader of byte strings that waits after each piece.
    pub(crate) fn of<const N: usize>(pieces: [&[u8]; N]) -> Self {
        let piece = |piece: &[u8]| [Some(piece.to_vec()), None];
        Self(pieces.into_iter().flat_map(piece).collect())
    }
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        match self.0.pop_front() {
            None => Poll::Ready(Ok(0)),
            Some(None) => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
            Some(Some(mut piece)) => {
                let read = piece.len().min(buf.len());
                buf[..read].copy_from_slice(&piece[..read]);
                let rest = piece.split_off(read);
                if !rest.is_empty() {
                    self.0.push_front(Some(rest));
                }
                Poll::Ready(Ok(read))
            }
        }
    }
}

/// A writer that accepts `width` bytes at a time, waits before each write, and records its flushes.
#[derive(Debug, Default)]
pub(crate) struct Narrow {
    pub(crate) width: usize,
    pub(crate) written: Vec<u8>,
    /// The number of bytes that were written before each flush.
    pub(crate) flushed: Vec<usize>,
    pub(crate) closed: bool,
    pub(crate) waited: bool,
}

impl Narrow {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }
}

impl AsyncWrite for Narrow {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.waited = !self.waited;
        if self.waited {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let written = buf.len().min(self.width);
        self.written.extend_from_slice(&buf[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let len = self.written.len();
        self.flushed.push(len);
        Poll::Ready(Ok(()))
    }

    fn poll_close(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.closed = true;
        Poll::Ready(Ok(()))
    }
}
