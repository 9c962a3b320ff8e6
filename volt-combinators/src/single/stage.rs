//! A future with what awaits its output, in the same place as its end.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::end::End;

pin_project! {
    /// A future with what awaits its output, until both are gone.
    #[project = Part]
    pub(super) enum Stage<A, R> {
        Waiting { #[pin] future: A, rest: R },
        Over { end: End },
    }
}

impl<A, R> Stage<A, R> {
    pub(super) fn new(future: A, rest: R) -> Self {
        Self::Waiting { future, rest }
    }

    /// How it ended, if it has.
    pub(super) fn end(&self) -> Option<End> {
        match self {
            Self::Waiting { .. } => None,
            Self::Over { end } => Some(*end),
        }
    }

    /// The future.
    ///
    /// # Panics
    ///
    /// Panics if the future is gone.
    #[cfg(feature = "std")]
    pub(super) fn future(self: Pin<&mut Self>, name: &str) -> Pin<&mut A> {
        match self.project() {
            Part::Waiting { future, .. } => future,
            Part::Over { end } => end.misused(name),
        }
    }
}

impl<A: Future, R: Default> Stage<A, R> {
    /// What `last` makes of the output, when the future is ready, and dropped.
    ///
    /// # Panics
    ///
    /// Panics if the future is gone. A panic of the future, of its destructor or of `last` passes
    /// through, and leaves nothing that could be polled.
    #[inline]
    pub(super) fn finish<U>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        name: &str,
        last: impl FnOnce(A::Output, R) -> U,
    ) -> Poll<U> {
        let mut bomb = Bomb(self);
        let (future, rest) = match bomb.0.as_mut().project() {
            Part::Waiting { future, rest } => (future, rest),
            Part::Over { end } => end.misused(name),
        };
        let Poll::Ready(output) = future.poll(cx) else {
            mem::forget(bomb);
            return Poll::Pending;
        };
        let rest = mem::take(rest);
        // The future goes before the function runs.
        bomb.0.set(Self::Over { end: End::Panicked });
        let result = last(output, rest);
        bomb.0.set(Self::Over { end: End::Done });
        Poll::Ready(result)
    }
}

/// Empties the place when a panic passes by.
struct Bomb<'a, A, R>(Pin<&'a mut Stage<A, R>>);

impl<A, R> Drop for Bomb<'_, A, R> {
    #[inline]
    fn drop(&mut self) {
        if self.0.end().is_none() {
            self.0.set(Stage::Over { end: End::Panicked });
        }
    }
}

impl<A, R> fmt::Debug for Stage<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end() {
            None => f.write_str("Waiting"),
            Some(end) => end.fmt(f),
        }
    }
}
