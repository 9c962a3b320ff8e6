//! The first future to complete wins.

use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::combinator::{combinator, own_name, polled};
use crate::poll_pass::PollPass;
#[cfg(feature = "alloc")]
use crate::slots::FromIter;
use crate::slots::{Children, UniformRow};

combinator! {
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
    pub struct Race, never empty: "a race of no futures has no winner";
}

polled!(Race: UniformRow => <C::Row as UniformRow>::Output);

#[inline]
fn poll<R: UniformRow>(
    pass: &mut PollPass,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<R::Output> {
    pass.enter("Race");
    let wins = |row: Pin<&mut R>, child| match row.take(child) {
        Some(output) => ControlFlow::Break(output),
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(winner) = pass.run(row.as_mut(), cx, wins) else {
        pass.pause();
        return Poll::Pending;
    };
    pass.release();
    row.clear();
    pass.finish();
    Poll::Ready(winner.expect("a race ends with its first completion"))
}

/// Waits for the first of two futures, and drops the other before it returns.
///
/// A future that is only the handle of something which runs elsewhere, a spawned task say, does not
/// end it by being dropped. Race a handle that does: with `volt` that is `handle.cancel_on_drop()`.
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

own_name! {
    /// The future of [`race`](fn@race), under the function's own name.
    pub type race<A, B> = Race<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;
}

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

own_name! {
    /// The future of [`race_all`](fn@race_all), under the function's own name.
    #[cfg(feature = "alloc")]
    pub type race_all<I> = Race<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}
