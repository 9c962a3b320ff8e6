//! A second future made from the first's error.

use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;
use volt_inspect::{Inspector, registrable};

use super::sequence::Sequence;

pin_project! {
    /// Runs a second future, made from the first's error, unless that is a value. Created by
    /// [`FutureExt::or_else`](crate::FutureExt::or_else).
    ///
    /// `B` is the type of the second future. Both use the same memory.
    #[must_use = "futures do nothing unless polled"]
    pub struct OrElse<A, B, F> {
        #[pin]
        chain: Sequence<A, B, F>,
    }
}

impl<A, B, F> OrElse<A, B, F> {
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

impl<A, I, F, T, E, G> Future for OrElse<A, I::IntoFuture, F>
where
    A: Future<Output = Result<T, E>>,
    I: IntoFuture<Output = Result<T, G>>,
    F: FnOnce(E) -> I,
{
    type Output = I::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let bridge = |f: F, output| match output {
            Ok(value) => Err(Ok(value)),
            Err(error) => Ok(f(error).into_future()),
        };
        self.project().chain.poll_on(cx, bridge, "OrElse")
    }
}

impl<A, B, F> volt_inspect::Inspect for OrElse<A, B, F> {
    fn inspect(self: Pin<&mut Self>, inspector: &mut Inspector<'_>) {
        self.project().chain.inspect("OrElse", inspector);
    }
}

registrable!(OrElse<A, B, F>);

impl<A, B, F> fmt::Debug for OrElse<A, B, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OrElse({:?})", self.chain)
    }
}
