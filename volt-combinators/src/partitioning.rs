//! Waits for all futures; values and errors are handed out side by side.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use alloc::vec::Vec;

use crate::combinator::{combinator, own_name, polled};
use crate::errors::Errors;
use crate::poll_pass::PollPass;
use crate::slots::{Children, FromIter, UniformRow};

combinator! {
    /// Waits for all futures; returns the values and the errors, each with the number of its future.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice, all of one `Result` type.
    /// Made by [`FuturesExt::partition`](crate::FuturesExt::partition) and [`partition_all`].
    ///
    /// Both come in the order of the futures. No future is dropped because another one failed.
    ///
    /// # Panics
    ///
    /// As [`Join`](crate::Join).
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the futures that are left and the outputs of the others.
    #[must_use = "futures do nothing unless polled"]
    pub struct Partition;
}

/// The values with their numbers, and the errors with theirs.
type Parted<T, E> = (Vec<(usize, T)>, Errors<E>);

polled!(Partition<T, E>: UniformRow<Output = Result<T, E>> => (Vec<(usize, T)>, Errors<E>));

#[inline]
fn poll<R: UniformRow<Output = Result<T, E>>, T, E>(
    pass: &mut PollPass,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Parted<T, E>> {
    pass.enter("Partition");
    let goes_on = |_: Pin<&mut R>, _| ControlFlow::<Infallible>::Continue(());
    if pass.run(row.as_mut(), cx, goes_on).is_pending() {
        pass.pause();
        return Poll::Pending;
    }
    pass.finish();
    let (mut values, mut errors) = (Vec::new(), Errors::new());
    for child in 0..row.len() {
        match row.as_mut().take(child) {
            Some(Ok(value)) => values.push((child, value)),
            Some(Err(error)) => errors.push(child, error),
            None => {}
        }
    }
    Poll::Ready((values, errors))
}

/// Waits for all futures of an iterator; returns the values and the errors, with their numbers.
///
/// ```
/// use core::future::ready;
/// use volt_combinators::partition_all;
///
/// let pages = ["1", "two", "3"].map(|text| ready(text.parse::<u8>()));
/// let (values, errors) = futures::executor::block_on(partition_all(pages));
/// assert_eq!(values, [(0, 1), (2, 3)]);
/// assert_eq!(errors.to_string(), "future 1: invalid digit found in string");
/// ```
#[doc(alias = "tryJoinAll")]
#[doc(alias = "allSettled")]
pub fn partition_all<I, T, E>(futures: I) -> Partition<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture<Output = Result<T, E>>>,
{
    Partition::new(FromIter(futures.into_iter()))
}

own_name! {
    /// The future of [`partition_all`](fn@partition_all), under the function's own name.
    pub type partition_all<I> = Partition<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}
