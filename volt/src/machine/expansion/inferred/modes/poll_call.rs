//! Ways to poll an awaited future.

use core::cell::Cell;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A way to poll a future.
pub trait PollWith<F> {
    /// The output of the future.
    type Output;

    /// Polls the future. A machine that reaches its limit of awaits sets `is_over`, has woken
    /// nothing, and is pending.
    fn poll(future: Pin<&mut F>, cx: &mut Context<'_>, is_over: &Cell<bool>) -> Poll<Self::Output>;
}

/// Calls the future's own `poll`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DirectPoll;

impl<F: Future> PollWith<F> for DirectPoll {
    type Output = F::Output;

    #[inline]
    fn poll(future: Pin<&mut F>, cx: &mut Context<'_>, _: &Cell<bool>) -> Poll<F::Output> {
        future.poll(cx)
    }
}
