//! A look at a future's output.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

pin_project! {
    /// Shows the output to a function and passes it on. Made by
    /// [`FutureExt::inspect`](crate::FutureExt::inspect).
    #[must_use = "futures do nothing unless polled"]
    pub struct Inspect<A, F> {
        #[pin]
        future: A,
        f: Option<F>,
    }
}

impl<A, F> Inspect<A, F> {
    pub(crate) fn new(future: A, f: F) -> Self {
        Self { future, f: Some(f) }
    }

    /// Whether it has returned its output.
    pub fn is_terminated(&self) -> bool {
        self.f.is_none()
    }
}

impl<A: Future, F: FnOnce(&A::Output)> Future for Inspect<A, F> {
    type Output = A::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        let this = self.project();
        assert!(this.f.is_some(), "`Inspect` polled after completion");
        let output = ready!(this.future.poll(cx));
        if let Some(f) = this.f.take() {
            f(&output);
        }
        Poll::Ready(output)
    }
}

impl<A, F> fmt::Debug for Inspect<A, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.f.is_some() { "Waiting" } else { "Done" };
        write!(f, "Inspect({state})")
    }
}
