//! The futures that everything waits for in the end.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Ready at the second poll.
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
        match std::mem::replace(&mut self.polled, true) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

/// Ready at once.
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
