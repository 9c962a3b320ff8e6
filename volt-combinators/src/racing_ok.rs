//! The first future to succeed wins.

use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use alloc::vec::Vec;

use pin_project_lite::pin_project;

use crate::combinator::own_name;
use crate::errors::Errors;
use crate::poll_pass::{PollPass, options};
use crate::slots::{Children, FallibleRow, FromIter, IntoChildren, States, UniformRow};

pin_project! {
    /// Waits for the first value, and drops the other futures **before** it returns; if all fail,
    /// returns all errors with the futures' numbers.
    ///
    /// `C` names the futures: a tuple, an array, a `Vec` or a boxed slice, all of one `Result`
    /// type. Made by
    /// [`FuturesExt::race_ok`](crate::FuturesExt::race_ok) and [`race_ok_all`].
    ///
    /// # Panics
    ///
    /// As [`Race`](crate::Race).
    #[must_use = "futures do nothing unless polled"]
    pub struct RaceOk<C>
    where
        C: Children,
        C::Row: FallibleRow,
    {
        pass: PollPass,
        errors: Option<Errors<<C::Row as FallibleRow>::Error>>,
        #[pin]
        row: C::Row,
    }
}

options!(RaceOk, where Row: FallibleRow);

impl<C: Children<Row: FallibleRow>> RaceOk<C> {
    #[inline]
    pub(crate) fn new(children: impl IntoChildren<Children = C>) -> Self {
        let row = children.into_row();
        Self {
            pass: PollPass::new(&row),
            errors: Some(Errors::new()),
            row,
        }
    }

    /// Whether it must not be polled again: it has returned, or a future panicked.
    pub fn is_terminated(&self) -> bool {
        self.pass.is_over()
    }
}

impl<C, T, E> Future for RaceOk<C>
where
    C: Children<Row: UniformRow<Output = Result<T, E>> + FallibleRow<Error = E>>,
{
    type Output = Result<T, Errors<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        poll(this.pass, this.errors, this.row, cx)
    }
}

#[inline]
fn poll<R, T, E>(
    pass: &mut PollPass,
    found: &mut Option<Errors<E>>,
    mut row: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Result<T, Errors<E>>>
where
    R: UniformRow<Output = Result<T, E>>,
{
    pass.enter("RaceOk");
    let errors = found.get_or_insert_with(Errors::new);
    let wins = |row: Pin<&mut R>, child| match row.take(child) {
        Some(Ok(value)) => ControlFlow::Break(value),
        Some(Err(error)) => {
            errors.push(child, error);
            ControlFlow::Continue(())
        }
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(winner) = pass.run(row.as_mut(), cx, wins) else {
        pass.pause();
        return Poll::Pending;
    };
    pass.release();
    row.clear();
    pass.finish();
    let errors = found.take();
    Poll::Ready(winner.ok_or_else(|| errors.expect("made above")))
}

impl<C: Children<Row: FallibleRow>> fmt::Debug for RaceOk<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RaceOk")
            .field("children", &States(&self.row))
            .finish()
    }
}

/// Waits for the first value of an iterator's futures, or all their errors.
///
/// ```
/// use core::future::ready;
/// use volt_combinators::race_ok_all;
///
/// let mirrors = [ready(Err("down")), ready(Ok("page")), ready(Err("slow"))];
/// assert_eq!(futures::executor::block_on(race_ok_all(mirrors)), Ok("page"));
/// ```
pub fn race_ok_all<I>(futures: I) -> RaceOk<Vec<<I::Item as IntoFuture>::IntoFuture>>
where
    I: IntoIterator<Item: IntoFuture>,
    Vec<<I::Item as IntoFuture>::IntoFuture>: Children<Row: FallibleRow>,
{
    RaceOk::new(FromIter(futures.into_iter()))
}

own_name! {
    /// The future of [`race_ok_all`](fn@race_ok_all), under the function's own name.
    pub type race_ok_all<I> = RaceOk<Vec<<<I as IntoIterator>::Item as IntoFuture>::IntoFuture>>;
}
