//! A future together with the function that receives its output.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, Node, Status};

use super::end::End;

pin_project! {
    /// A future and the value that its completion consumes, until both are dropped.
    #[project = StageProjection]
    pub(super) enum Stage<A, R> {
        Waiting { #[pin] future: A, rest: R },
        Over { end: End },
    }
}

impl<A, R> Stage<A, R> {
    pub(super) fn new(future: A, rest: R) -> Self {
        Self::Waiting { future, rest }
    }

    /// Returns the end, if it has ended.
    pub(super) fn end(&self) -> Option<End> {
        match self {
            Self::Waiting { .. } => None,
            Self::Over { end } => Some(*end),
        }
    }

    /// Reports the future that has this stage: one node with the name `kind`.
    pub(super) fn inspect(self: Pin<&mut Self>, kind: &'static str, inspector: &mut Inspector<'_>) {
        let status = self.end().map_or(Status::Waiting, End::status);
        inspector.node(&Node::new(kind).status(status), |inspector| {
            if let StageProjection::Waiting { future, .. } = self.project() {
                inspector.future(future);
            }
        });
    }

    /// Returns the future.
    ///
    /// # Panics
    ///
    /// Panics if the future has been dropped.
    #[cfg(feature = "std")]
    pub(super) fn future(self: Pin<&mut Self>, name: &str) -> Pin<&mut A> {
        match self.project() {
            StageProjection::Waiting { future, .. } => future,
            StageProjection::Over { end } => end.panic_polled_again(name),
        }
    }
}

impl<A: Future, R: Default> Stage<A, R> {
    /// Polls the future. When it completes, drops it and returns the result of `last`.
    ///
    /// # Panics
    ///
    /// Panics if the future has been dropped. A panic of the future, of its destructor or of `last`
    /// passes through, and ends the stage.
    #[inline]
    pub(super) fn finish<U>(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        name: &str,
        last: impl FnOnce(A::Output, R) -> U,
    ) -> Poll<U> {
        let mut guard = StageGuard(self);
        let (future, rest) = match guard.0.as_mut().project() {
            StageProjection::Waiting { future, rest } => (future, rest),
            StageProjection::Over { end } => end.panic_polled_again(name),
        };
        let Poll::Ready(output) = future.poll(cx) else {
            mem::forget(guard);
            return Poll::Pending;
        };
        let rest = mem::take(rest);
        // The future is dropped before the function runs.
        guard.0.set(Self::Over { end: End::Panicked });
        let result = last(output, rest);
        guard.0.set(Self::Over { end: End::Done });
        Poll::Ready(result)
    }
}

/// Drops the future during a panic.
struct StageGuard<'a, A, R>(Pin<&'a mut Stage<A, R>>);

impl<A, R> Drop for StageGuard<'_, A, R> {
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
