//! The futures that wait for a stream without using it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::stream::TcpStream;
use crate::driver::{Direction, Ready, Waiting};

impl TcpStream {
    /// Waits until a read may succeed; only [`try_read`](Self::try_read) tells whether it does.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn readable(&self) -> Readable<'_> {
        Readable(self.io.waiting(Direction::Read))
    }

    /// Waits until a write may succeed; only [`try_write`](Self::try_write) tells whether it
    /// does.
    ///
    /// # Errors
    ///
    /// Fails when the runtime has shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future changes nothing.
    pub fn writable(&self) -> Writable<'_> {
        Writable(self.io.waiting(Direction::Write))
    }
}

/// The future of [`TcpStream::readable`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Readable<'a>(Waiting<'a>);

impl Future for Readable<'_> {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_ready(cx.waker()).map(Ready::check)
    }
}

/// The future of [`TcpStream::writable`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Writable<'a>(Waiting<'a>);

impl Future for Writable<'_> {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_ready(cx.waker()).map(Ready::check)
    }
}
