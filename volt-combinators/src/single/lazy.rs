//! A value computed at the first poll.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A value computed at the first poll. Made by [`lazy`].
#[doc(alias = "FnFuture")]
#[must_use = "futures do nothing unless polled"]
pub struct Lazy<F>(Option<F>);

impl<F> Lazy<F> {
    /// Whether the function has been called.
    pub fn is_terminated(&self) -> bool {
        self.0.is_none()
    }
}

// The function is moved out before it is called; it is never pinned.
impl<F> Unpin for Lazy<F> {}

/// Calls `f` at the first poll, and is ready with what it returns.
///
/// ```
/// let answer = volt_combinators::lazy(|| 42);
/// assert_eq!(futures::executor::block_on(answer), 42);
/// ```
pub fn lazy<F: FnOnce() -> T, T>(f: F) -> Lazy<F> {
    Lazy(Some(f))
}

impl<F: FnOnce() -> T, T> Future for Lazy<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        let f = self.0.take().expect("`Lazy` polled after completion");
        Poll::Ready(f())
    }
}

impl<F> fmt::Debug for Lazy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.0.is_some() { "Waiting" } else { "Done" };
        write!(f, "Lazy({state})")
    }
}
