//! Sockets for hyper.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};
use pin_project_lite::pin_project;
use volt::net::ReadUninit;

use crate::uninit::poll_fill;

/// How much is read at a time where hyper's memory cannot be read into.
const CHUNK: usize = 8 << 10;

/// A socket of volt, as hyper reads and writes it.
///
/// The system writes received bytes directly into hyper's buffer, without a copy and without
/// zeroing. For other streams, such as those of a TLS library, use [`FuturesIo`].
#[derive(Debug)]
pub struct Io<S> {
    stream: S,
}

impl<S: ReadUninit + futures_io::AsyncWrite> Io<S> {
    /// Takes a [`TcpStream`](volt::net::TcpStream) or another connection of volt.
    pub fn new(stream: S) -> Self {
        Self { stream }
    }
}

impl<S> Io<S> {
    /// The socket.
    pub fn get_ref(&self) -> &S {
        &self.stream
    }

    /// The socket.
    ///
    /// Bytes that are read from the stream here are not seen by hyper.
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.stream
    }

    /// Gives the socket back.
    pub fn into_inner(self) -> S {
        self.stream
    }
}

impl<S: ReadUninit> Read for Io<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        poll_fill(&self.stream, cx, cursor)
    }
}

impl<S: futures_io::AsyncWrite + Unpin> Write for Io<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_close(cx)
    }
}

pin_project! {
    /// Any stream of `futures-io`, as hyper reads and writes it: a TLS connection, a test's pipe.
    ///
    /// The `poll_read` of `futures-io` requires initialized memory, so it reads into a buffer of 8
    /// KiB on the stack, which is then copied to hyper's.
    #[derive(Debug)]
    pub struct FuturesIo<S> {
        #[pin]
        stream: S,
    }
}

impl<S: futures_io::AsyncRead + futures_io::AsyncWrite> FuturesIo<S> {
    /// Takes a stream.
    pub fn new(stream: S) -> Self {
        Self { stream }
    }
}

impl<S> FuturesIo<S> {
    /// The stream.
    pub fn get_ref(&self) -> &S {
        &self.stream
    }

    /// The stream.
    ///
    /// Bytes that are read from the stream here are not seen by hyper.
    pub fn get_mut(&mut self) -> &mut S {
        &mut self.stream
    }

    /// Gives the stream back.
    pub fn into_inner(self) -> S {
        self.stream
    }
}

impl<S: futures_io::AsyncRead> Read for FuturesIo<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut chunk = [0; CHUNK];
        let room = CHUNK.min(cursor.remaining());
        let count = ready!(self.project().stream.poll_read(cx, &mut chunk[..room]))?;
        cursor.put_slice(&chunk[..count]);
        Poll::Ready(Ok(()))
    }
}

impl<S: futures_io::AsyncWrite> Write for FuturesIo<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.project().stream.poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.project().stream.poll_write_vectored(cx, bufs)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().stream.poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.project().stream.poll_close(cx)
    }
}
