//! Waits for all futures.

use core::convert::Infallible;
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
use crate::slots::{Children, JoinStorage};

combinator! {
    /// Waits for all futures, and returns their outputs in the order of the futures.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice. Created by
    /// [`FuturesExt::join`](crate::FuturesExt::join), [`join`] and [`join_all`].
    ///
    /// Each future is dropped in place as soon as it completes.
    ///
    /// # Panics
    ///
    /// A panic of a future passes through `poll`. The other futures are kept until the `Join` is
    /// dropped. Polling it again panics, as it does after completion.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the remaining futures and the outputs of the others.
    #[must_use = "futures do nothing unless polled"]
    pub struct Join;
}

polled!(Join: JoinStorage => <C::Storage as JoinStorage>::Outputs);

#[inline]
fn poll<R: JoinStorage>(
    pass: &mut PollPass,
    mut storage: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<R::Outputs> {
    pass.enter("Join");
    let continues = |_: Pin<&mut R>, _| ControlFlow::<Infallible>::Continue(());
    if pass.run(storage.as_mut(), cx, continues).is_pending() {
        pass.pause();
        return Poll::Pending;
    }
    pass.finish();
    let outputs = storage.take_all();
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

/// Waits for all futures of an iterator, and returns their outputs in its order.
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
