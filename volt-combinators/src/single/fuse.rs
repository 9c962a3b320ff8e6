//! A future that may be polled after it is done.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

pin_project! {
    /// A future that stays pending once it has been ready. Made by
    /// [`FutureExt::fuse`](crate::FutureExt::fuse).
    ///
    /// The inner future is dropped as it completes.
    #[must_use = "futures do nothing unless polled"]
    pub struct Fuse<A> {
        #[pin]
        future: Option<A>,
    }
}

impl<A> Fuse<A> {
    pub(crate) fn new(future: A) -> Self {
        Self {
            future: Some(future),
        }
    }

    /// Whether the future has been ready.
    pub fn is_terminated(&self) -> bool {
        self.future.is_none()
    }
}

impl<A: Future> Future for Fuse<A> {
    type Output = A::Output;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        let Some(future) = self.as_mut().project().future.as_pin_mut() else {
            return Poll::Pending;
        };
        let output = ready!(future.poll(cx));
        self.project().future.set(None);
        Poll::Ready(output)
    }
}

impl<A> fmt::Debug for Fuse<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.is_terminated() {
            "Done"
        } else {
            "Waiting"
        };
        write!(f, "Fuse({state})")
    }
}
