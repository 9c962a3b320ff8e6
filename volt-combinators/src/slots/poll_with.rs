//! Rows whose children are polled by functions, one a child.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::pinned::pin_field;
use super::row::Row;
use super::slot::{Slot, Turn};
use crate::tuples::tuples;

/// A row that polls each of its children by a function of its own, of which `P` is a tuple.
#[doc(hidden)]
pub trait PollEach<P>: Row {
    /// Gives a child its turn, if it is live.
    fn poll_child_by(
        self: Pin<&mut Self>,
        child: usize,
        cx: &mut Context<'_>,
        polls: &mut P,
    ) -> Turn;
}

macro_rules! tuple {
    ($($F:ident $P:ident $n:tt)+) => {
        impl<$($F, $P),+> PollEach<($($P,)+)> for ($(Slot<$F>,)+)
        where
            $($F: Future, $P: FnMut(Pin<&mut $F>, &mut Context<'_>) -> Poll<$F::Output>,)+
        {
            #[inline]
            fn poll_child_by(
                self: Pin<&mut Self>,
                child: usize,
                cx: &mut Context<'_>,
                polls: &mut ($($P,)+),
            ) -> Turn {
                match child {
                    $($n => pin_field!(self, $n).poll_by(cx, &mut polls.$n),)+
                    _ => Turn::Over,
                }
            }
        }
    };
}

tuples!(tuple);
