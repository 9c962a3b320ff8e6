//! A panic as an error.

use std::any::Any;
use std::boxed::Box;
use std::fmt;
use std::future::Future;
use std::panic::{self, AssertUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

pin_project! {
    /// Catches a panic of the future. Made by
    /// [`FutureExt::catch_unwind`](crate::FutureExt::catch_unwind).
    #[must_use = "futures do nothing unless polled"]
    pub struct CatchUnwind<A> {
        #[pin]
        future: A,
    }
}

impl<A> CatchUnwind<A> {
    pub(crate) fn new(future: A) -> Self {
        Self { future }
    }
}

impl<A: Future + UnwindSafe> Future for CatchUnwind<A> {
    type Output = Result<A::Output, Box<dyn Any + Send>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let future = self.project().future;
        match panic::catch_unwind(AssertUnwindSafe(|| future.poll(cx))) {
            Ok(polled) => polled.map(Ok),
            Err(payload) => Poll::Ready(Err(payload)),
        }
    }
}

impl<A> fmt::Debug for CatchUnwind<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatchUnwind").finish_non_exhaustive()
    }
}
