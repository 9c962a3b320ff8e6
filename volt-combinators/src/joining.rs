//! Waits for all futures.

use core::convert::Infallible;
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
use crate::slots::{Children, JoinRow};

combinator! {
    /// Waits for all futures; the outputs come together, in the order of the futures.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice. Made by
    /// [`FuturesExt::join`](crate::FuturesExt::join), [`join`] and [`join_all`].
    ///
    /// Each future is dropped where it stands as soon as it completes.
    ///
    /// # Panics
    ///
    /// A panic of a future passes through `poll`. That future is gone then, the others are kept
    /// until the `Join` is dropped, and polling it again panics, as it does after completion.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the futures that are left and the outputs of the others.
    #[must_use = "futures do nothing unless polled"]
    pub struct Join;
}

polled!(Join: JoinRow => <C::Row as JoinRow>::Outputs);

#[inline]
fn poll<R: JoinRow>(
    pass: &mut PollPass,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<R::Outputs> {
    pass.enter("Join");
    let goes_on = |_: Pin<&mut R>, _| ControlFlow::<Infallible>::Continue(());
    if pass.run(row.as_mut(), cx, goes_on).is_pending() {
        pass.pause();
        return Poll::Pending;
    }
    pass.finish();
    let outputs = row.take_all();
    Poll::Ready(outputs.expect("every child has completed"))
}

/// Waits for two futures.
///
/// ```
/// # use core::future::ready;
/// # let wait = |future| futures::executor::block_on(future);
/// assert_eq!(wait(volt_combinators::join(ready(1), ready("one"))), (1, "one"));
/// ```
pub fn join<A: IntoFuture, B: IntoFuture>(a: A, b: B) -> Join<(A::IntoFuture, B::IntoFuture)> {
    Join::new((a, b))
}

own_name! {
    /// The future of [`join`](fn@join), under the function's own name.
    pub type join<A, B> = Join<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;
}

/// Waits for all futures of an iterator; the outputs come in its order.
///
/// ```
/// # use core::future::ready;
/// let squares = volt_combinators::join_all((1..4).map(|n| ready(n * n)));
/// assert_eq!(futures::executor::block_on(squares), [1, 4, 9]);
/// ```
#[cfg(feature = "alloc")]
#[doc(alias = "joinAll")]
pub fn join_all<I>(futures: I) -> Join<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture>,
{
    Join::new(FromIter(futures.into_iter()))
}

own_name! {
    /// The future of [`join_all`](fn@join_all), under the function's own name.
    #[cfg(feature = "alloc")]
    pub type join_all<I> = Join<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}
