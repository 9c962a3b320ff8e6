//! A time limit for the bytes before the first request.
//!
//! hyper limits the time for the head of a request, but only after it has detected the version of
//! HTTP. A client that sends nothing, or an ambiguous prefix, would keep its connection forever.

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

/// The length of the HTTP/2 preface. A client that has sent as many bytes has revealed its version.
const PREFACE: usize = 24;

/// A connection whose reads fail if no version is detected in time.
#[derive(Debug)]
pub(crate) struct FirstByteTimeout<I> {
    io: I,
    request_seen: RequestSeen,
    received: usize,
    limit: Option<Sleep>,
}

/// A flag that is set when a request has arrived.
#[derive(Clone, Debug)]
struct RequestSeen(Arc<AtomicBool>);

impl RequestSeen {
    // ORDERING: Relaxed: the flag publishes no other data.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Wraps a connection and its service: the first request ends the time limit.
pub(crate) fn with_first_byte_timeout<I, S, A>(
    io: I,
    service: S,
    peer: Option<A>,
    limit: Duration,
) -> (FirstByteTimeout<I>, WithPeerAddr<S, A>) {
    let request_seen = RequestSeen(Arc::new(AtomicBool::new(false)));
    let io = FirstByteTimeout {
        io,
        request_seen: request_seen.clone(),
        received: 0,
        limit: Some(sleep(limit)),
    };
    let service = WithPeerAddr {
        service,
        peer,
        request_seen,
    };
    (io, service)
}

impl<I> FirstByteTimeout<I> {
    /// Returns `true` if the version is not known yet.
    fn is_waiting(&mut self) -> bool {
        if self.limit.is_none() {
            return false;
        }
        if self.received >= PREFACE || self.request_seen.get() {
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
            let why = "no request was received in time";
            return Err(io::Error::new(io::ErrorKind::TimedOut, why));
        }
        Ok(())
    }
}

impl<I: Read + Unpin> Read for FirstByteTimeout<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_waiting() {
            return Pin::new(&mut self.io).poll_read(cx, cursor);
        }
        let mut chunk = [0; PREFACE];
        // At most this much, because bytes that are read into hyper's own memory cannot be counted.
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

impl<I: Write + Unpin> Write for FirstByteTimeout<I> {
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

/// The address of the peer of a request. It is an extension of the request if
/// [`Serve::with_peer_addr`](crate::Serve::with_peer_addr) was called.
///
/// In axum: `Extension<PeerAddr<SocketAddr>>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddr<A>(pub A);

/// A service that records the first request, and can add the peer address to requests.
#[derive(Clone, Debug)]
pub(crate) struct WithPeerAddr<S, A> {
    service: S,
    peer: Option<A>,
    request_seen: RequestSeen,
}

impl<S, A> Service<Request<Incoming>> for WithPeerAddr<S, A>
where
    S: Service<Request<Incoming>>,
    A: Clone + Send + Sync + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, mut request: Request<Incoming>) -> S::Future {
        self.request_seen.set();
        if let Some(peer) = &self.peer {
            request.extensions_mut().insert(PeerAddr(peer.clone()));
        }
        self.service.call(request)
    }
}
