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

pub use volt_combinators::lent::{Argument, Evaluated, Lent};

/// An argument that the callee stores.
#[diagnostic::on_unimplemented(
    message = "this argument is lent again at each poll, and what is given here is no place",
    label = "evaluated once, and a machine does not store what it borrows",
    note = "lend a place: `&local`, `&self.field`, `&list[index]`; what is made needs a `let \
            value: T = ..;` first, and then `&value`",
    note = "or let the callee store it: by value, or with a named lifetime, as in `async fn \
            callee<'a>(text: &'a str)`, called by `callee::<'a>(text)`",
    note = "book: errors.md#not-a-place"
)]
pub trait Given {
    /// What stands for it in the tuple.
    type Place;
    /// The only one there is.
    const PLACE: Self::Place;
}

#[diagnostic::do_not_recommend]
impl Given for Evaluated {
    type Place = Evaluated;
    const PLACE: Evaluated = Evaluated;
}

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
