//! Waits for all futures, and returns the values and the errors.

use core::convert::Infallible;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use alloc::vec::Vec;

use super::combinator::{combinator, polled};
use super::errors::Errors;
use crate::poll_pass::PollPass;
use crate::slots::{Children, FromIter, UniformStorage};

combinator! {
    /// Waits for all futures; returns the values and the errors, with the numbers of their futures.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice, all of one
    /// `Result` type. Created by [`FuturesExt::partition`](crate::FuturesExt::partition) and
    /// [`partition_all`].
    ///
    /// Both are in the order of the futures. The error of a future does not drop the others.
    ///
    /// # Panics
    ///
    /// Panics as [`Join`](crate::Join) does.
    ///
    /// # Cancel safety
    ///
    /// Dropping it drops the remaining futures and the outputs of the others.
    #[must_use = "futures do nothing unless polled"]
    pub struct Partition;
}

/// The values with their numbers, and the errors with theirs.
type Parted<T, E> = (Vec<(usize, T)>, Errors<E>);

polled!(Partition<T, E>: UniformStorage<Output = Result<T, E>> => (Vec<(usize, T)>, Errors<E>));

#[inline]
fn poll<R: UniformStorage<Output = Result<T, E>>, T, E>(
    pass: &mut PollPass,
    mut storage: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Parted<T, E>> {
    pass.enter("Partition");
    let continues = |_: Pin<&mut R>, _| ControlFlow::<Infallible>::Continue(());
    if pass.run(storage.as_mut(), cx, continues).is_pending() {
        pass.pause();
        return Poll::Pending;
    }
    pass.finish();
    let (mut values, mut errors) = (Vec::new(), Errors::new());
    for child in 0..storage.len() {
        match storage.as_mut().take(child) {
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
