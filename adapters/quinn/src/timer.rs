//! Time for quinn: one timer a connection, for what is lost, idle or too fast.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

/// quinn keeps its timer behind a pointer to a trait of its own.
#[derive(Debug)]
pub(crate) struct Timer(volt::time::Sleep);

impl Timer {
    pub(crate) fn new(deadline: Instant) -> Self {
        Self(volt::time::sleep_until(deadline))
    }
}

impl quinn::AsyncTimer for Timer {
    fn reset(self: Pin<&mut Self>, deadline: Instant) {
        self.get_mut().0.reset(deadline);
    }

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Future::poll(Pin::new(&mut self.get_mut().0), cx)
    }
}
