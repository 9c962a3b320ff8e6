//! The calls of methods that are written by hand, and lent what they are called on.
//!
//! `group.next()` is no state machine, but one may await it as if it were: of the call it keeps a
//! [`Leaf`], which is what remains of the future without what that is lent.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// What awaiting gives, by the type that stands under the name of what is called.
///
/// That type is the future itself, except for a machine with lent arguments: its future is a
/// type around it, but it gives the same.
#[diagnostic::on_unimplemented(
    message = "what awaiting this gives cannot be seen",
    label = "it may be the output of a private method, which is known in its own `impl` alone",
    note = "write the method as `pub`, or as a function: `async fn callee(this: &Type) -> T`",
    note = "book: errors.md#private-method"
)]
pub trait Awaited {
    /// The value of the await.
    type Output;
}

#[diagnostic::do_not_recommend]
impl<F: Future> Awaited for F {
    type Output = F::Output;
}

/// Stands in the tuple for an argument that was evaluated in the call and moved into it.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated;

/// Tells of argument `N` that the caller lends it again at each poll.
#[derive(Clone, Copy, Debug)]
pub struct Lent;

/// What becomes of argument `N` of a call: it is [`Evaluated`] once, or it is [`Lent`].
pub trait Argument<const N: usize> {
    /// One of the two.
    type Is;
}

impl<F: Future, const N: usize> Argument<N> for F {
    type Is = Evaluated;
}

/// What is left of a call without what it is lent.
pub trait LeafCall: Unpin {
    /// What it is lent at each poll: what it is called on first.
    type Lent<'a>
    where
        Self: 'a;
    /// What awaiting it gives.
    type Output;

    /// Polls.
    fn poll(&mut self, cx: &mut Context<'_>, lent: Self::Lent<'_>) -> Poll<Self::Output>;
}

/// What a machine keeps of such a call.
#[derive(Debug)]
pub struct Leaf<C>(C);

impl<C: LeafCall> Leaf<C> {
    /// A call that was not polled yet.
    #[inline]
    pub const fn new(call: C) -> Self {
        Self(call)
    }

    /// Polls with what is lent.
    #[inline]
    pub fn poll_lent(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        lent: C::Lent<'_>,
    ) -> Poll<C::Output> {
        self.get_mut().0.poll(cx, lent)
    }
}

impl<C: LeafCall> Awaited for Leaf<C> {
    type Output = C::Output;
}

/// What it is called on.
impl<C: LeafCall> Argument<0> for Leaf<C> {
    type Is = Lent;
}

/// The bytes that it reads or writes.
impl<C: LeafCall> Argument<1> for Leaf<C> {
    type Is = Lent;
}

/// Whom it sends them to.
impl<C: LeafCall> Argument<2> for Leaf<C> {
    type Is = Evaluated;
}
