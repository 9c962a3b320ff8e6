//! Waits for all futures, and returns all values or all errors.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use alloc::vec::Vec;

use super::combinator::{combinator, polled};
use super::errors::Errors;
use crate::poll_pass::PollPass;
use crate::slots::{Children, FallibleStorage, FromIter};

combinator! {
    /// Waits for all futures; returns all values, or all errors with the futures' numbers.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice, of `Result`s
    /// with one error type. Created by [`FuturesExt::settle`](crate::FuturesExt::settle) and
    /// [`settle_all`].
    ///
    /// To get the values in spite of errors, use [`partition`](crate::FuturesExt::partition), or
    /// [`join`](crate::FuturesExt::join), which returns each `Result`.
    ///
    /// # Panics
    ///
    /// Panics as [`Join`](crate::Join) does.
    #[must_use = "futures do nothing unless polled"]
    pub struct Settle;
}

polled!(Settle: FallibleStorage => Result<<C::Storage as FallibleStorage>::Values, Errors<<C::Storage as FallibleStorage>::Error>>);

#[inline]
fn poll<R: FallibleStorage>(
    pass: &mut PollPass,
    mut storage: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Result<R::Values, Errors<R::Error>>> {
    pass.enter("Settle");
    let continues = |_: Pin<&mut R>, _| ControlFlow::<Infallible>::Continue(());
    if pass.run(storage.as_mut(), cx, continues).is_pending() {
        pass.pause();
        return Poll::Pending;
    }
    pass.finish();
    let errors = errors(storage.as_mut());
    if !errors.is_empty() {
        storage.clear();
        return Poll::Ready(Err(errors));
    }
    let values = storage.take_values();
    Poll::Ready(Ok(values.expect("every child has left a value")))
}

fn errors<R: FallibleStorage>(mut storage: Pin<&mut R>) -> Errors<R::Error> {
    let mut errors = Errors::new();
    for child in 0..storage.len() {
        if let Some(error) = storage.as_mut().take_error(child) {
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
    Vec<<I::Item as IntoFuture>::IntoFuture>: Children<Storage: FallibleStorage>,
{
    Settle::new(FromIter(futures.into_iter()))
}
