//! A future that may be polled after completion.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::end::End;
use super::stage::Stage;

pin_project! {
    /// A future that stays pending once it has been ready. Created by
    /// [`FutureExt::fuse`](crate::FutureExt::fuse).
    ///
    /// The inner future is dropped when it completes.
    ///
    /// # Panics
    ///
    /// A panic of the inner future passes through. Polling it after a panic panics again, because
    /// the future would stay pending forever.
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

    /// Returns `true` if the inner future has completed or panicked.
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

impl<A> volt_inspect::Inspect for Fuse<A> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.project().stage.inspect("Fuse", inspector);
    }
}

registrable!(Fuse<A>);

impl<A> fmt::Debug for Fuse<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fuse({:?})", self.stage)
    }
}
