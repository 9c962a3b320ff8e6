//! Waits for all values; the first error ends it.

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
use crate::slots::{Children, FallibleRow};

combinator! {
    /// Waits for the values of all futures; the first error, in time, ends it.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice, of `Result`s with one
    /// error type. Made by [`FuturesExt::try_join`](crate::FuturesExt::try_join), [`try_join`] and
    /// [`try_join_all`].
    ///
    /// An error drops the other futures **before** it is returned.
    ///
    /// # Panics
    ///
    /// As [`Join`](crate::Join). If the destructor of one of the rest panics, the error is lost.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the futures that are left and the values of the others.
    #[must_use = "futures do nothing unless polled"]
    pub struct TryJoin;
}

polled!(TryJoin: FallibleRow => Result<<C::Row as FallibleRow>::Values, <C::Row as FallibleRow>::Error>);

#[inline]
fn poll<R: FallibleRow>(
    pass: &mut PollPass,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Result<R::Values, R::Error>> {
    pass.enter("TryJoin");
    let fails = |row: Pin<&mut R>, child| match row.take_error(child) {
        Some(error) => ControlFlow::Break(error),
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(error) = pass.run(row.as_mut(), cx, fails) else {
        pass.pause();
        return Poll::Pending;
    };
    pass.release();
    if let Some(error) = error {
        row.clear();
        pass.finish();
        return Poll::Ready(Err(error));
    }
    pass.finish();
    let values = row.take_values();
    Poll::Ready(Ok(values.expect("every child has left a value")))
}

/// Waits for the values of two futures; the first error ends it.
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
    (A::IntoFuture, B::IntoFuture): Children<Row: FallibleRow>,
{
    TryJoin::new((a, b))
}

own_name! {
    /// The future of [`try_join`](fn@try_join), under the function's own name.
    pub type try_join<A, B> = TryJoin<(<A as IntoFuture>::IntoFuture, <B as IntoFuture>::IntoFuture)>;
}

/// Waits for the values of an iterator's futures; the first error ends it.
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
    Vec<<I::Item as IntoFuture>::IntoFuture>: Children<Row: FallibleRow>,
{
    TryJoin::new(FromIter(futures.into_iter()))
}

own_name! {
    /// The future of [`try_join_all`](fn@try_join_all), under the function's own name.
    #[cfg(feature = "alloc")]
    pub type try_join_all<I> = TryJoin<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}
