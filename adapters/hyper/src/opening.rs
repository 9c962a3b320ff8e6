//! A limit of time on what comes before the first request.
//!
//! hyper limits how long the head of a request may take, but only when it knows which version of
//! HTTP is spoken. A client that sends nothing, or a part of what both versions may begin with, would
//! keep its connection for ever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http::Request;
use hyper::body::Incoming;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::service::Service;
use volt::time::{Sleep, sleep};

/// HTTP/2 begins with so many bytes; whoever has sent as many has said which version it is.
const PREFACE: usize = 24;

/// A connection whose reads fail if no version is known in time.
#[derive(Debug)]
pub(crate) struct Opening<I> {
    io: I,
    opened: Opened,
    received: usize,
    limit: Option<Sleep>,
}

/// Whether a request has come.
#[derive(Clone, Debug)]
struct Opened(Arc<AtomicBool>);

impl Opened {
    // ORDERING: Relaxed: it publishes nothing but itself.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Ties a connection and its service together: the first request ends the limit.
pub(crate) fn open<I, S, A>(
    io: I,
    service: S,
    peer: Option<A>,
    limit: Duration,
) -> (Opening<I>, Introduced<S, A>) {
    let opened = Opened(Arc::new(AtomicBool::new(false)));
    let opening = Opening {
        io,
        opened: opened.clone(),
        received: 0,
        limit: Some(sleep(limit)),
    };
    let service = Introduced {
        service,
        peer,
        opened,
    };
    (opening, service)
}

impl<I> Opening<I> {
    /// Whether it is not known yet which version is spoken.
    fn is_opening(&mut self) -> bool {
        if self.limit.is_none() {
            return false;
        }
        if self.received >= PREFACE || self.opened.get() {
            self.limit = None;
        }
        self.limit.is_some()
    }

    fn check(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        let late = match &mut self.limit {
            Some(limit) => Pin::new(limit).poll(cx).is_ready(),
            None => false,
        };
        if late {
            let why = "the client has not said in time which version of HTTP it speaks";
            return Err(io::Error::new(io::ErrorKind::TimedOut, why));
        }
        Ok(())
    }
}

impl<I: Read + Unpin> Read for Opening<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_opening() {
            return Pin::new(&mut self.io).poll_read(cx, cursor);
        }
        let mut chunk = [0; PREFACE];
        // No further than that, as what is read into hyper's own memory cannot be counted.
        let room = (PREFACE - self.received).min(cursor.remaining());
        let mut buf = hyper::rt::ReadBuf::new(&mut chunk[..room]);
        match Pin::new(&mut self.io).poll_read(cx, buf.unfilled()) {
            Poll::Ready(Ok(())) => {
                cursor.put_slice(buf.filled());
                self.received += buf.filled().len();
                Poll::Ready(Ok(()))
            }
            Poll::Pending => match self.check(cx) {
                Ok(()) => Poll::Pending,
                Err(late) => Poll::Ready(Err(late)),
            },
            failed => failed,
        }
    }
}

impl<I: Write + Unpin> Write for Opening<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

/// Who is at the other end of the connection that a request came over, among its extensions if
/// [`Serve::with_peer_addr`](crate::Serve::with_peer_addr) was called.
///
/// In axum: `Extension<PeerAddr<SocketAddr>>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddr<A>(pub A);

/// A service that notes that a request has come, and may tell it its peer.
#[derive(Clone, Debug)]
pub(crate) struct Introduced<S, A> {
    service: S,
    peer: Option<A>,
    opened: Opened,
}

impl<S, A> Service<Request<Incoming>> for Introduced<S, A>
where
    S: Service<Request<Incoming>>,
    A: Clone + Send + Sync + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, mut request: Request<Incoming>) -> S::Future {
        self.opened.set();
        if let Some(peer) = &self.peer {
            request.extensions_mut().insert(PeerAddr(peer.clone()));
        }
        self.service.call(request)
    }
}
