//! A future that may be polled after it is done.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

use super::end::End;
use super::stage::Stage;

pin_project! {
    /// A future that stays pending once it has been ready. Made by
    /// [`FutureExt::fuse`](crate::FutureExt::fuse).
    ///
    /// The inner future is dropped as it completes.
    ///
    /// # Panics
    ///
    /// A panic of the inner future passes through. Who polls after that would wait for nothing: it
    /// panics again.
    #[must_use = "futures do nothing unless polled"]
    pub struct Fuse<A> {
        #[pin]
        stage: Stage<A, ()>,
    }
}

impl<A> Fuse<A> {
    pub(crate) fn new(future: A) -> Self {
        Self {
            stage: Stage::new(future, ()),
        }
    }

    /// Whether the future is gone: it has been ready, or it panicked.
    pub fn is_terminated(&self) -> bool {
        self.stage.end().is_some()
    }
}

impl<A: Future> Future for Fuse<A> {
    type Output = A::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<A::Output> {
        let stage = self.project().stage;
        if stage.end() == Some(End::Done) {
            return Poll::Pending;
        }
        stage.finish(cx, "Fuse", |output, ()| output)
    }
}

impl<A> fmt::Debug for Fuse<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fuse({:?})", self.stage)
    }
}
