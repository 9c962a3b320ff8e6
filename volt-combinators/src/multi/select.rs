//! Yields one completion at a time.

use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::combinator::{combinator, inspect_borrowed};
use crate::poll_pass::PollPass;
#[cfg(feature = "alloc")]
use crate::slots::FromIter;
use crate::slots::{Children, UniformStorage};

combinator! {
    /// Yields one completion at a time. The other futures stay in place, with their wakers.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice, all of one
    /// output type. Created by [`FuturesExt::select`](crate::FuturesExt::select), [`select`] and
    /// [`select_all`].
    ///
    /// ```
    /// use core::future::ready;
    /// use core::pin::pin;
    /// use volt_combinators::FuturesExt;
    ///
    /// # futures::executor::block_on(async {
    /// let mut selected = pin!([ready('a'), ready('b')].select());
    /// assert_eq!(selected.as_mut().next().await, Some((0, 'a')));
    /// assert_eq!(selected.as_mut().next().await, Some((1, 'b')));
    /// assert_eq!(selected.as_mut().next().await, None);
    /// # });
    /// ```
    ///
    /// # Panics
    ///
    /// A panic of a future passes through. The next call continues with the other futures.
    #[must_use = "a `Select` does nothing unless its `next` is awaited"]
    pub struct Select;
}

impl<C: Children> Select<C> {
    /// Returns the number of futures that have not completed.
    pub fn len(&self) -> usize {
        self.pass.left()
    }

    /// Returns `true` if all futures have completed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<C: Children<Storage: UniformStorage>> Select<C> {
    /// Waits for the next completion: the number of the future, in the order given, and its output.
    ///
    /// Returns `None` when no future is left.
    ///
    /// # Cancel safety
    ///
    /// Dropping the returned future loses no output.
    pub fn next(self: Pin<&mut Self>) -> Next<'_, C> {
        volt_inspect::register::<Next<'_, C>>();
        Next { select: self }
    }

    /// The poll function of [`next`](Self::next).
    pub fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(usize, <C::Storage as UniformStorage>::Output)>> {
        let mut this = self.project();
        let takes_output = |storage: Pin<&mut C::Storage>, child| match storage.take(child) {
            Some(output) => ControlFlow::Break((child, output)),
            None => ControlFlow::Continue(()),
        };
        let polled = this.pass.run(this.storage.as_mut(), cx, takes_output);
        if this.pass.left() == 0 {
            this.pass.finish();
        }
        polled
    }
}

/// The next completion of a [`Select`].
#[must_use = "futures do nothing unless polled"]
pub struct Next<'a, C: Children> {
    select: Pin<&'a mut Select<C>>,
}

impl<C: Children<Storage: UniformStorage>> Future for Next<'_, C> {
    type Output = Option<(usize, <C::Storage as UniformStorage>::Output)>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.select.as_mut().poll_next(cx)
    }
}

inspect_borrowed!(Next { select });

impl<C: Children> fmt::Debug for Next<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next")
            .field("select", &self.select)
            .finish()
    }
}

/// Yields the completions of two futures one at a time.
///
/// ```
/// # use core::future::{pending, ready};
/// # use core::pin::pin;
/// let mut selected = pin!(volt_combinators::select(pending(), ready(2)));
/// assert_eq!(futures::executor::block_on(selected.as_mut().next()), Some((1, 2)));
/// ```
pub fn select<A, B>(a: A, b: B) -> Select<(A::IntoFuture, B::IntoFuture)>
where
    A: IntoFuture,
    B: IntoFuture<Output = A::Output>,
{
    Select::new((a, b))
}

/// Yields the completions of an iterator's futures one at a time.
///
/// ```
/// # use core::future::ready;
/// # use core::pin::pin;
/// let mut selected = pin!(volt_combinators::select_all((1..4).map(ready)));
/// assert_eq!(futures::executor::block_on(selected.as_mut().next()), Some((0, 1)));
/// assert_eq!(selected.len(), 2);
/// ```
#[cfg(feature = "alloc")]
pub fn select_all<I>(futures: I) -> Select<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture>,
{
    Select::new(FromIter(futures.into_iter()))
}
