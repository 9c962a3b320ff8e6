//! Waits for all values, until the first error.

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
use crate::slots::{Children, FallibleStorage};

combinator! {
    /// Waits for the values of all futures; returns the first error, in time, if there is one.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice, of `Result`s
    /// with one error type. Created by [`FuturesExt::try_join`](crate::FuturesExt::try_join),
    /// [`try_join`] and [`try_join_all`].
    ///
    /// The other futures are dropped **before** an error is returned.
    ///
    /// # Panics
    ///
    /// Panics as [`Join`](crate::Join) does. If the destructor of one of the other futures panics,
    /// the error is lost.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the remaining futures and the values of the others.
    #[must_use = "futures do nothing unless polled"]
    pub struct TryJoin;
}

polled!(TryJoin: FallibleStorage => Result<<C::Storage as FallibleStorage>::Values, <C::Storage as FallibleStorage>::Error>);

#[inline]
fn poll<R: FallibleStorage>(
    pass: &mut PollPass,
    mut storage: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Result<R::Values, R::Error>> {
    pass.enter("TryJoin");
    let fails = |storage: Pin<&mut R>, child| match storage.take_error(child) {
        Some(error) => ControlFlow::Break(error),
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(error) = pass.run(storage.as_mut(), cx, fails) else {
        pass.pause();
        return Poll::Pending;
    };
    pass.release::<R>();
    if let Some(error) = error {
        storage.clear();
        pass.finish_released();
        return Poll::Ready(Err(error));
    }
    pass.finish_released();
    let values = storage.take_values();
    Poll::Ready(Ok(values.expect("every child has left a value")))
}

/// Waits for the values of two futures, until the first error.
///
/// ```
/// use core::future::{pending, ready};
/// use volt_combinators::try_join;
///
/// let both = try_join(ready(Ok::<_, &str>(1)), ready(Ok(2.0)));
/// assert_eq!(futures::executor::block_on(both), Ok((1, 2.0)));
///
/// let fails = try_join(pending::<Result<(), _>>(), ready(Err::<(), _>("no")));
/// assert_eq!(futures::executor::block_on(fails), Err("no"));
/// ```
pub fn try_join<A, B>(a: A, b: B) -> TryJoin<(A::IntoFuture, B::IntoFuture)>
where
    A: IntoFuture,
    B: IntoFuture,
    (A::IntoFuture, B::IntoFuture): Children<Storage: FallibleStorage>,
{
    TryJoin::new((a, b))
}

/// Waits for the values of an iterator's futures, until the first error.
///
/// ```
/// # use core::future::ready;
/// let parsed = ["1", "2"].map(|text| ready(text.parse::<u8>()));
/// let all = volt_combinators::try_join_all(parsed);
/// assert_eq!(futures::executor::block_on(all), Ok(vec![1, 2]));
/// ```
#[cfg(feature = "alloc")]
pub fn try_join_all<I>(futures: I) -> TryJoin<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture>,
    Vec<<I::Item as IntoFuture>::IntoFuture>: Children<Storage: FallibleStorage>,
{
    TryJoin::new(FromIter(futures.into_iter()))
}
