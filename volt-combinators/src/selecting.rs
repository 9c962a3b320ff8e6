//! One completion at a time, the others in place.

use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::combinator::combinator;
use crate::poll_pass::PollPass;
#[cfg(feature = "alloc")]
use crate::slots::FromIter;
use crate::slots::{Children, UniformRow};

combinator! {
    /// Yields one completion at a time; the other futures stay in place, with their wakers.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice, all of one output type.
    /// Made by [`FuturesExt::select`](crate::FuturesExt::select), [`select`] and [`select_all`].
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
    /// A panic of a future passes through; that future is gone then, and the next call goes on
    /// with the others.
    #[must_use = "a `Select` does nothing unless its `next` is awaited"]
    pub struct Select;
}

impl<C: Children> Select<C> {
    /// How many futures have not completed.
    pub fn len(&self) -> usize {
        self.pass.left()
    }

    /// Whether all futures have completed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<C: Children<Row: UniformRow>> Select<C> {
    /// Waits for the next completion: the future's number, in the order given, and its output.
    ///
    /// `None` when no future is left.
    ///
    /// # Cancel safety
    ///
    /// Dropping what this returns loses nothing.
    pub fn next(self: Pin<&mut Self>) -> Next<'_, C> {
        Next { select: self }
    }

    /// The poll function of [`next`](Self::next).
    pub fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<(usize, <C::Row as UniformRow>::Output)>> {
        let mut this = self.project();
        let hands_out = |row: Pin<&mut C::Row>, child| match row.take(child) {
            Some(output) => ControlFlow::Break((child, output)),
            None => ControlFlow::Continue(()),
        };
        let polled = this.pass.run(this.row.as_mut(), cx, hands_out);
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

impl<C: Children<Row: UniformRow>> Future for Next<'_, C> {
    type Output = Option<(usize, <C::Row as UniformRow>::Output)>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.select.as_mut().poll_next(cx)
    }
}

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
