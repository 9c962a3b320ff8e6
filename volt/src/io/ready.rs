//! The futures that wait for a descriptor without using it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::driver::{Ready, Waiting};

/// The future of `readable` on a descriptor or socket.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Readable<'a>(Waiting<'a>);

impl<'a> Readable<'a> {
    pub(crate) fn new(waiting: Waiting<'a>) -> Self {
        Self(waiting)
    }
}

impl Future for Readable<'_> {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_ready(cx.waker()).map(Ready::check)
    }
}

/// The future of `writable` on a descriptor or socket.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Writable<'a>(Waiting<'a>);

impl<'a> Writable<'a> {
    pub(crate) fn new(waiting: Waiting<'a>) -> Self {
        Self(waiting)
    }
}

impl Future for Writable<'_> {
    type Output = io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.poll_ready(cx.waker()).map(Ready::check)
    }
}
