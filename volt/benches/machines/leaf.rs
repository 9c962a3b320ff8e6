//! Leaf futures of the subjects.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Returns a future that is ready at its second poll.
pub(crate) fn turn() -> Turn {
    Turn { polled: false }
}

pub(crate) struct Turn {
    polled: bool,
}

impl Future for Turn {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.polled, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// Returns a future that is ready at its first poll.
pub(crate) fn now(value: u64) -> Now {
    Now { value }
}

pub(crate) struct Now {
    value: u64,
}

impl Future for Now {
    type Output = u64;

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        Poll::Ready(std::hint::black_box(self.value))
    }
}
