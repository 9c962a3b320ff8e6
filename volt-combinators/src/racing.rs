//! The first future to complete wins.

use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use pin_project_lite::pin_project;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::lent::polled;
#[cfg(feature = "alloc")]
use crate::slots::FromIter;
use crate::slots::{Children, IntoChildren, Row, States, UniformRow};
use crate::turns::{Turns, options};

pin_project! {
    /// Waits for the first future to complete, and drops the others **before** it returns.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice, all of one output type.
    /// Made by [`FuturesExt::race`](crate::FuturesExt::race), [`race`] and [`race_all`].
    ///
    /// When several are ready at once, the one polled first wins: after the last one polled, or,
    /// when [`biased`](Self::biased), the first in order.
    ///
    /// # Panics
    ///
    /// A panic of a future passes through `poll`. That future is gone then, the others are kept
    /// until the `Race` is dropped, and polling it again panics, as it does after completion. So it
    /// is if the destructor of a loser panics: the winner is lost then.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops all futures.
    #[must_use = "futures do nothing unless polled"]
    pub struct Race<C: Children> {
        turns: Turns,
        #[pin]
        row: C::Row,
    }
}

options!(Race);

impl<C: Children> Race<C> {
    #[inline]
    #[track_caller]
    pub(crate) fn new(children: impl IntoChildren<Children = C>) -> Self {
        let row = children.into_row();
        assert!(row.len() > 0, "a race of no futures has no winner");
        Self {
            turns: Turns::new(&row),
            row,
        }
    }

    /// Whether it must not be polled again: it has returned the winner, or a future panicked.
    pub fn is_terminated(&self) -> bool {
        self.turns.is_over()
    }
}

polled!(Race: UniformRow => <C::Row as UniformRow>::Output);

#[inline]
fn poll<R: UniformRow>(
    turns: &mut Turns,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<R::Output> {
    turns.enter("Race");
    let wins = |row: Pin<&mut R>, child| match row.take(child) {
        Some(output) => ControlFlow::Break(output),
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(winner) = turns.pass(row.as_mut(), cx, wins) else {
        turns.pause();
        return Poll::Pending;
    };
    turns.release();
    row.clear();
    turns.finish();
    Poll::Ready(winner.expect("a race ends with its first completion"))
}

impl<C: Children> fmt::Debug for Race<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Race")
            .field("children", &States(&self.row))
            .finish()
    }
}

/// Waits for the first of two futures, and drops the other before it returns.
///
/// ```
/// use core::future::{pending, ready};
///
/// let first = volt_combinators::race(pending(), ready("done"));
/// assert_eq!(futures::executor::block_on(first), "done");
/// ```
pub fn race<A, B>(a: A, b: B) -> Race<(A::IntoFuture, B::IntoFuture)>
where
    A: IntoFuture,
    B: IntoFuture<Output = A::Output>,
{
    Race::new((a, b))
}

/// The future of [`race`](fn@race), under the function's own name.
#[allow(
    non_camel_case_types,
    reason = "the type stands under the name of its function"
)]
pub type race<A, B> = Race<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;

/// Waits for the first future of an iterator, and drops the others before it returns.
///
/// ```
/// # use core::future::ready;
/// let first = volt_combinators::race_all((1..4).map(ready));
/// assert_eq!(futures::executor::block_on(first), 1);
/// ```
///
/// # Panics
///
/// Panics if the iterator is empty.
#[cfg(feature = "alloc")]
#[track_caller]
pub fn race_all<I>(futures: I) -> Race<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture>,
{
    Race::new(FromIter(futures.into_iter()))
}

/// The future of [`race_all`](fn@race_all), under the function's own name.
#[cfg(feature = "alloc")]
#[allow(
    non_camel_case_types,
    reason = "the type stands under the name of its function"
)]
pub type race_all<I> = Race<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
