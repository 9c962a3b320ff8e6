//! What a machine keeps of a call on a group: that it was made.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::Vec;

use super::error::GroupError;
use super::group::Group;
use super::id::ChildId;
use super::ledger::Outcome;
use super::wait::{JoinAll, NextChild, Wait};
use crate::leaf::{Leaf, LeafCall};

/// Declares what is left of a future without the group.
macro_rules! left {
    ($Future:ident by $method:ident gives $Output:ty: $Call:ident) => {
        impl<T> $Future<'_, T> {
            #[doc(hidden)]
            pub fn into_machine<S>(self) -> Leaf<$Call<Group<T, S>>> {
                Leaf::new($Call(PhantomData))
            }
        }

        /// What is left of it without the group: nothing.
        #[derive(Debug)]
        pub struct $Call<G>(PhantomData<fn(&G)>);

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
                Pin::new(&mut group.$method()).poll(cx)
            }
        }
    };
}

left!(NextChild by next gives Option<(ChildId, Outcome<T>)>: NextChildCall);
left!(JoinAll by join_all gives Vec<(ChildId, Outcome<T>)>: JoinAllCall);
left!(Wait by wait gives Result<Vec<T>, GroupError>: WaitCall);
