//! Time, which an interrupt counts.

use core::pin::Pin;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Context, Poll};

use atomic_waker::AtomicWaker;

static NOW: AtomicU32 = AtomicU32::new(0);
static WAITING: AtomicWaker = AtomicWaker::new();

/// Counts on: the interrupt of the timer calls this.
pub fn tick() {
    NOW.fetch_add(1, Ordering::Release);
    WAITING.wake();
}

/// Waits until so many ticks have passed since the first poll.
pub fn ticks(count: u32) -> Ticks {
    Ticks { count, begun: None }
}

/// The type of [`ticks`](fn@ticks) under the function's own name, by which machines find it.
#[allow(
    non_camel_case_types,
    reason = "the type stands under its function's name"
)]
pub type ticks = Ticks;

/// A wait, as [`ticks`](fn@ticks) makes it: one at a time keeps its waker.
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Ticks {
    count: u32,
    begun: Option<u32>,
}

impl Future for Ticks {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        WAITING.register(cx.waker());
        let now = NOW.load(Ordering::Acquire);
        let begun = *self.begun.get_or_insert(now);
        if now.wrapping_sub(begun) < self.count {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    }
}
