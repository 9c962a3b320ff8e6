//! A second future created from the output of the first.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::sequence::Sequence;

pin_project! {
    /// Runs a second future, created from the output of the first. Created by
    /// [`FutureExt::then`](crate::FutureExt::then).
    ///
    /// `B` is the type of the second future. Both use the same memory.
    #[must_use = "futures do nothing unless polled"]
    #[doc(alias = "AndThenFuture")]
    pub struct Then<A, B, F> {
        #[pin]
        chain: Sequence<A, B, F>,
    }
}

impl<A, B, F> Then<A, B, F> {
    pub(crate) fn new(first: A, f: F) -> Self {
        Self {
            chain: Sequence::First { first, f: Some(f) },
        }
    }

    /// Returns `true` if it must not be polled again: it has returned its output, or panicked.
    pub fn is_terminated(&self) -> bool {
        self.chain.is_over()
    }
}

impl<A, I, F> Future for Then<A, I::IntoFuture, F>
where
    A: Future,
    I: IntoFuture,
    F: FnOnce(A::Output) -> I,
{
    type Output = I::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let bridge = |f: F, output| Ok(f(output).into_future());
        self.project().chain.poll_on(cx, bridge, "Then")
    }
}

impl<A, B, F> volt_inspect::Inspect for Then<A, B, F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.project().chain.inspect("Then", inspector);
    }
}

registrable!(Then<A, B, F>);

impl<A, B, F> fmt::Debug for Then<A, B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Then({:?})", self.chain)
    }
}
