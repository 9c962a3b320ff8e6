//! Waits for the first future to complete.

use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::combinator::{combinator, polled};
use crate::poll_pass::PollPass;
#[cfg(feature = "alloc")]
use crate::slots::FromIter;
use crate::slots::{Children, UniformStorage};

combinator! {
    /// Waits for the first future to complete, and drops the others **before** it returns.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice, all of one
    /// output type. Created by [`FuturesExt::race`](crate::FuturesExt::race), [`race`] and
    /// [`race_all`].
    ///
    /// If several futures are ready, the one polled first wins. Polling starts after the future
    /// polled last or, when [`biased`](Self::biased), with the first one.
    ///
    /// # Panics
    ///
    /// A panic of a future passes through `poll`. The other futures are kept until the `Race` is
    /// dropped. Polling it again panics, as it does after completion. If the destructor of a loser
    /// panics, the output of the winner is lost.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops all futures.
    #[must_use = "futures do nothing unless polled"]
    pub struct Race, never empty: "a race of no futures has no winner";
}

polled!(Race: UniformStorage => <C::Storage as UniformStorage>::Output);

#[inline]
fn poll<R: UniformStorage>(
    pass: &mut PollPass,
    mut storage: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<R::Output> {
    pass.enter("Race");
    let wins = |storage: Pin<&mut R>, child| match storage.take(child) {
        Some(output) => ControlFlow::Break(output),
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(winner) = pass.run(storage.as_mut(), cx, wins) else {
        pass.pause();
        return Poll::Pending;
    };
    pass.release::<R>();
    storage.clear();
    pass.finish_released();
    Poll::Ready(winner.expect("a race ends with its first completion"))
}

/// Waits for the first of two futures, and drops the other before it returns.
///
/// Dropping a future does not end work that runs elsewhere, such as a spawned task. Race a handle
/// that cancels its task when it is dropped: with `volt`, `handle.cancel_on_drop()`.
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
