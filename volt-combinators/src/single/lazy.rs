//! A value computed at the first poll.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::end::End;

/// A value computed at the first poll. Made by [`lazy`].
#[doc(alias = "FnFuture")]
#[must_use = "futures do nothing unless polled"]
pub struct Lazy<F>(State<F>);

enum State<F> {
    Waiting(F),
    Over(End),
}

impl<F> Lazy<F> {
    /// Whether the function has been called.
    pub fn is_terminated(&self) -> bool {
        matches!(self.0, State::Over(_))
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
    Lazy(State::Waiting(f))
}

impl<F: FnOnce() -> T, T> Future for Lazy<F> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<T> {
        match mem::replace(&mut self.0, State::Over(End::Panicked)) {
            State::Waiting(f) => {
                let value = f();
                self.0 = State::Over(End::Done);
                Poll::Ready(value)
            }
            State::Over(end) => {
                self.0 = State::Over(end);
                end.misused("Lazy")
            }
        }
    }
}

impl<F> fmt::Debug for Lazy<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            State::Waiting(_) => f.write_str("Lazy(Waiting)"),
            State::Over(end) => write!(f, "Lazy({end:?})"),
        }
    }
}
