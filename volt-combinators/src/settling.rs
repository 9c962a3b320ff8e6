//! Waits for all futures, errors or not.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use alloc::vec::Vec;

use crate::combinator::{combinator, own_name, polled};
use crate::errors::Errors;
use crate::poll_pass::PollPass;
use crate::slots::{Children, FallibleRow, FromIter};

combinator! {
    /// Waits for all futures; returns all values, or all errors with the futures' numbers.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice, of `Result`s with one
    /// error type. Made by [`FuturesExt::settle`](crate::FuturesExt::settle) and [`settle_all`].
    ///
    /// To keep values beside errors, [`partition`](crate::FuturesExt::partition) the futures instead,
    /// or [`join`](crate::FuturesExt::join) them, which returns each one's `Result` as it is.
    ///
    /// # Panics
    ///
    /// As [`Join`](crate::Join).
    #[must_use = "futures do nothing unless polled"]
    pub struct Settle;
}

polled!(Settle: FallibleRow => Result<<C::Row as FallibleRow>::Values, Errors<<C::Row as FallibleRow>::Error>>);

#[inline]
fn poll<R: FallibleRow>(
    pass: &mut PollPass,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Result<R::Values, Errors<R::Error>>> {
    pass.enter("Settle");
    let goes_on = |_: Pin<&mut R>, _| ControlFlow::<Infallible>::Continue(());
    if pass.run(row.as_mut(), cx, goes_on).is_pending() {
        pass.pause();
        return Poll::Pending;
    }
    pass.finish();
    let errors = errors(row.as_mut());
    if !errors.is_empty() {
        row.clear();
        return Poll::Ready(Err(errors));
    }
    let values = row.take_values();
    Poll::Ready(Ok(values.expect("every child has left a value")))
}

fn errors<R: FallibleRow>(mut row: Pin<&mut R>) -> Errors<R::Error> {
    let mut errors = Errors::new();
    for child in 0..row.len() {
        if let Some(error) = row.as_mut().take_error(child) {
            errors.push(child, error);
        }
    }
    errors
}

/// Waits for all futures of an iterator; returns all values, or all errors with their numbers.
///
/// ```
/// use core::future::ready;
/// use volt_combinators::settle_all;
///
/// let odd = |n: u32| ready(if n % 2 == 1 { Ok(n) } else { Err("even") });
/// let errors = futures::executor::block_on(settle_all((0..4).map(odd))).unwrap_err();
/// assert_eq!(errors.as_slice(), [(0, "even"), (2, "even")]);
/// ```
#[doc(alias = "tryJoinAll")]
pub fn settle_all<I>(futures: I) -> Settle<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture>,
    Vec<<I::Item as IntoFuture>::IntoFuture>: Children<Row: FallibleRow>,
{
    Settle::new(FromIter(futures.into_iter()))
}

own_name! {
    /// The future of [`settle_all`](fn@settle_all), under the function's own name.
    pub type settle_all<I> = Settle<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}
