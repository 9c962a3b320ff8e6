//! What a machine keeps of a call on a group: that it was made, and whether it waits.

use std::fmt;
use std::task::{Context, Poll};
use std::vec::Vec;

use super::error::{GroupError, Outcome};
use super::group::Group;
use super::id::ChildId;
use super::ledger::Ledger;
use super::wait::{JoinAll, NextChild, Wait, poll_join_all, poll_next, poll_wait};
use crate::leaf::{Leaf, LeafCall};
use crate::loom::sync::Arc;

/// A group, as calls of its methods remember it.
pub trait Waited {
    /// Takes the waker out of the group's ledger when it is dropped.
    type Waiter: Unpin;
}

impl<T, S> Waited for Group<T, S> {
    type Waiter = Waiter<T>;
}

/// A waker in the ledger of a group.
#[derive(Debug)]
pub struct Waiter<T>(Arc<Ledger<T>>);

impl<T> Drop for Waiter<T> {
    fn drop(&mut self) {
        self.0.stop_waiting();
    }
}

/// Declares what is left of a future without the group.
macro_rules! left {
    ($Future:ident by $poll:ident gives $Output:ty: $Call:ident) => {
        impl<T> $Future<'_, T> {
            #[doc(hidden)]
            pub fn into_machine<S>(self) -> Leaf<$Call<Group<T, S>>> {
                Leaf::new($Call(None))
            }
        }

        /// What is left of it without the group: that it waits.
        pub struct $Call<G: Waited>(Option<G::Waiter>);

        impl<G: Waited> fmt::Debug for $Call<G> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($Call)).finish_non_exhaustive()
            }
        }

        impl<T, S> LeafCall for $Call<Group<T, S>> {
            type Lent<'a>
                = (&'a mut Group<T, S>,)
            where
                Self: 'a;
            type Output = $Output;

            fn poll(
                &mut self,
                cx: &mut Context<'_>,
                (group,): Self::Lent<'_>,
            ) -> Poll<Self::Output> {
                let ledger = group.ledger();
                let polled = $poll(ledger, cx);
                if polled.is_pending() {
                    self.0.get_or_insert_with(|| Waiter(ledger.clone()));
                } else {
                    self.0 = None;
                }
                polled
            }
        }
    };
}

left!(NextChild by poll_next gives Option<(ChildId, Outcome<T>)>: NextChildCall);
left!(JoinAll by poll_join_all gives Vec<(ChildId, Outcome<T>)>: JoinAllCall);
left!(Wait by poll_wait gives Result<Vec<T>, GroupError>: WaitCall);
