//! A second future created from the value of the first.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::sequence::Sequence;

pin_project! {
    /// Runs a second future, created from the value of the first, unless that is an error. Created
    /// by [`FutureExt::and_then`](crate::FutureExt::and_then).
    ///
    /// `B` is the type of the second future. Both use the same memory.
    #[must_use = "futures do nothing unless polled"]
    #[doc(alias = "AndThenFuture")]
    pub struct AndThen<A, B, F> {
        #[pin]
        chain: Sequence<A, B, F>,
    }
}

impl<A, B, F> AndThen<A, B, F> {
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

impl<A, I, F, T, U, E> Future for AndThen<A, I::IntoFuture, F>
where
    A: Future<Output = Result<T, E>>,
    I: IntoFuture<Output = Result<U, E>>,
    F: FnOnce(T) -> I,
{
    type Output = I::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let bridge =
            |f: F, output: Result<T, E>| output.map(|value| f(value).into_future()).map_err(Err);
        self.project().chain.poll_on(cx, bridge, "AndThen")
    }
}

impl<A, B, F> volt_inspect::Inspect for AndThen<A, B, F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.project().chain.inspect("AndThen", inspector);
    }
}

registrable!(AndThen<A, B, F>);

impl<A, B, F> fmt::Debug for AndThen<A, B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AndThen({:?})", self.chain)
    }
}
