//! The HTTP service of all contestants, by hyper.

use std::convert::Infallible;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::rt::{Read, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};

/// The request that the client sends.
pub(crate) const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// The body, with which each answer ends.
pub(crate) const BODY: &[u8] = b"Hello, World!";

/// Answers the requests of one connection.
pub(super) async fn answer(io: impl Read + Write + Unpin) {
    let service = service_fn(async |_: Request<Incoming>| {
        Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(BODY))))
    });
    // The client closes the connection at the end of a round.
    let _ = http1::Builder::new().serve_connection(io, service).await;
}
