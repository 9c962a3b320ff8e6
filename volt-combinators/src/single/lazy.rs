//! A value computed at the first poll.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::end::End;

/// A value computed at the first poll. Created by [`lazy`].
#[doc(alias = "FnFuture")]
#[must_use = "futures do nothing unless polled"]
pub struct Lazy<F>(LazyState<F>);

enum LazyState<F> {
    Waiting(F),
    Over(End),
}

impl<F> Lazy<F> {
    /// Returns `true` if the function has been called.
    pub fn is_terminated(&self) -> bool {
        matches!(self.0, LazyState::Over(_))
    }
}

// The function is moved out before it is called; it is never pinned.
impl<F> Unpin for Lazy<F> {}

/// PollChildren `f` at the first poll, and is ready with what it returns.
///
/// ```
/// let answer = volt_combinators::lazy(|| 42);
/// assert_eq!(futures::executor::block_on(answer), 42);
/// ```
pub fn lazy<F: FnOnce() -> T, T>(f: F) -> Lazy<F> {
    Lazy(LazyState::Waiting(f))
}

impl<F: FnOnce() -> T, T> Future for Lazy<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        match mem::replace(&mut self.0, LazyState::Over(End::Panicked)) {
            LazyState::Waiting(f) => {
                let value = f();
                self.0 = LazyState::Over(End::Done);
                Poll::Ready(value)
            }
            LazyState::Over(end) => {
                self.0 = LazyState::Over(end);
                end.panic_polled_again("Lazy")
            }
        }
    }
}

impl<F> fmt::Debug for Lazy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            LazyState::Waiting(_) => f.write_str("Lazy(Waiting)"),
            LazyState::Over(end) => write!(f, "Lazy({end:?})"),
        }
    }
}
