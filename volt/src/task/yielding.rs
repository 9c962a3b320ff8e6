//! `yield_now`: a future that returns to the scheduler once.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Yields to the scheduler once, which runs other tasks before this one continues.
///
/// # Cancel safety
///
/// Dropping the future has no effect.
#[must_use = "futures do nothing unless they are polled"]
pub fn yield_now() -> YieldNow {
    YieldNow { yielded: false }
}

/// The future of [`yield_now`](fn@yield_now), under the name of the function.
#[doc(hidden)]
#[allow(
    non_camel_case_types,
    reason = "a machine names the future by the function"
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
