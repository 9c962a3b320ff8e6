//! Letting others run.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Returns once to the scheduler, which runs other tasks before this one goes on.
///
/// # Cancel safety
///
/// It holds nothing; dropping it changes nothing.
#[must_use = "futures do nothing unless they are polled"]
pub fn yield_now() -> YieldNow {
    YieldNow { yielded: false }
}

/// The future of [`yield_now`](fn@yield_now), by which machines name it.
#[allow(
    non_camel_case_types,
    reason = "it is found by the name of the function"
)]
pub type yield_now = YieldNow;

/// The future of [`yield_now`](fn@yield_now).
#[must_use = "futures do nothing unless they are polled"]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct YieldNow {
    yielded: bool,
}

impl Future for YieldNow {
    type Output = ();

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.yielded {
            return Poll::Ready(());
        }
        self.yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}
