//! The call of one machine by another.
//!
//! A machine does not store what it is lent: the caller lends it again at each poll. So a
//! suspended call keeps the callee's own state, made from the call by `into_machine`, and
//! resumes it by `poll_lent` with one tuple that has a place for each argument. Machines with
//! lent arguments have both as inherent functions; every other future gets them from here and
//! ignores the tuple.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// Stands in the tuple for an argument that was evaluated in the call and moved into it.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated;

/// What a future with nothing lent answers to the calling convention.
pub trait Call: Future + Sized {
    /// What the caller stores.
    #[inline]
    fn into_machine(self) -> Self {
        self
    }

    /// Polls; there is nothing to lend.
    #[inline]
    fn poll_lent<L>(self: Pin<&mut Self>, cx: &mut Context<'_>, _: L) -> Poll<Self::Output> {
        self.poll(cx)
    }
}

impl<F: Future> Call for F {}

/// What awaiting gives, by the type that stands under the name of what is called.
///
/// That type is the future itself, except for a machine with lent arguments: its future is a
/// type around it, but it gives the same.
pub trait Awaited {
    /// The value of the await.
    type Output;
}

impl<F: Future> Awaited for F {
    type Output = F::Output;
}
