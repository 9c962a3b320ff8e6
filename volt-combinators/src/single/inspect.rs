//! Inspecting the output of a future.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::stage::Stage;

pin_project! {
    /// Calls a function with a reference to the output, and returns the output. Created by
    /// [`FutureExt::inspect`](crate::FutureExt::inspect).
    ///
    /// The future is dropped before the function runs.
    #[must_use = "futures do nothing unless polled"]
    pub struct Inspect<A, F> {
        #[pin]
        stage: Stage<A, Option<F>>,
    }
}

impl<A, F> Inspect<A, F> {
    pub(crate) fn new(future: A, f: F) -> Self {
        Self {
            stage: Stage::new(future, Some(f)),
        }
    }

    /// Returns `true` if it must not be polled again: it has returned its output, or panicked.
    pub fn is_terminated(&self) -> bool {
        self.stage.end().is_some()
    }
}

impl<A: Future, F: FnOnce(&A::Output)> Future for Inspect<A, F> {
    type Output = A::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        let last = |output, f: Option<F>| {
            f.expect("there until the future completes")(&output);
            output
        };
        self.project().stage.finish(cx, "Inspect", last)
    }
}

impl<A, F> volt_inspect::Inspect for Inspect<A, F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.project().stage.inspect("Inspect", inspector);
    }
}

registrable!(Inspect<A, F>);

impl<A, F> fmt::Debug for Inspect<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inspect({:?})", self.stage)
    }
}
