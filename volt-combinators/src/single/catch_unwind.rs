//! Catching panics of a future.

use std::any::Any;
use std::boxed::Box;
use std::fmt;
use std::future::Future;
use std::panic::{self, AssertUnwindSafe, UnwindSafe};
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::end::End;
use super::stage::Stage;

pin_project! {
    /// Catches a panic of the future. Created by
    /// [`FutureExt::catch_unwind`](crate::FutureExt::catch_unwind).
    ///
    /// The future is dropped when it completes or panics. A panic of its destructor is caught too.
    /// If both panic, the panic of the future is the error.
    ///
    /// # Panics
    ///
    /// Panics if it is polled after completion.
    #[must_use = "futures do nothing unless polled"]
    pub struct CatchUnwind<A> {
        #[pin]
        stage: Stage<A, ()>,
    }
}

impl<A> CatchUnwind<A> {
    pub(crate) fn new(future: A) -> Self {
        Self {
            stage: Stage::new(future, ()),
        }
    }

    /// Returns `true` if it has returned its output, or the panic.
    pub fn is_terminated(&self) -> bool {
        self.stage.end().is_some()
    }
}

impl<A: Future + UnwindSafe> Future for CatchUnwind<A> {
    type Output = Result<A::Output, Box<dyn Any + Send>>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut stage = self.project().stage;
        let future = stage.as_mut().future("CatchUnwind");
        let outcome = match panic::catch_unwind(AssertUnwindSafe(|| future.poll(cx))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(payload) => Err(payload),
        };
        let dropping = AssertUnwindSafe(|| stage.set(Stage::Over { end: End::Done }));
        Poll::Ready(match (outcome, panic::catch_unwind(dropping)) {
            (Ok(_), Err(payload)) => Err(payload),
            (outcome, _) => outcome,
        })
    }
}

impl<A> volt_inspect::Inspect for CatchUnwind<A> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.project().stage.inspect("CatchUnwind", inspector);
    }
}

registrable!(CatchUnwind<A>);

impl<A> fmt::Debug for CatchUnwind<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CatchUnwind({:?})", self.stage)
    }
}
