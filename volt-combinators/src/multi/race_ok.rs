//! Waits for the first future to succeed.

use core::fmt;
use core::future::Future;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::{Context, Poll};

use alloc::vec::Vec;

use pin_project_lite::pin_project;

use super::errors::Errors;
use crate::poll_pass::{PollPass, options};
use crate::slots::{Children, FallibleStorage, FromIter, IntoChildren, States, UniformStorage};

pin_project! {
    /// Waits for the first value, and drops the other futures **before** it returns. If all futures
    /// fail, returns all errors with the futures' numbers.
    ///
    /// `C` is the type of the futures: a tuple, an array, a `Vec` or a boxed slice, all of one
    /// `Result` type. Created by [`FuturesExt::race_ok`](crate::FuturesExt::race_ok) and
    /// [`race_ok_all`].
    ///
    /// # Panics
    ///
    /// Panics as [`Race`](crate::Race) does, except that an empty race returns an error.
    #[must_use = "futures do nothing unless polled"]
    pub struct RaceOk<C>
    where
        C: Children,
        C::Storage: FallibleStorage,
    {
        pass: PollPass,
        errors: Option<Errors<<C::Storage as FallibleStorage>::Error>>,
        #[pin]
        storage: C::Storage,
    }
}

options!(RaceOk, where Storage: FallibleStorage);

impl<C: Children<Storage: FallibleStorage>> RaceOk<C> {
    #[inline]
    pub(crate) fn new(children: impl IntoChildren<Children = C>) -> Self {
        let storage = children.into_storage();
        Self {
            pass: PollPass::new(&storage),
            errors: Some(Errors::new()),
            storage,
        }
    }

    /// Returns `true` if it must not be polled again: it has returned, or a future panicked.
    pub fn is_terminated(&self) -> bool {
        self.pass.is_over()
    }
}

impl<C, T, E> Future for RaceOk<C>
where
    C: Children<Storage: UniformStorage<Output = Result<T, E>> + FallibleStorage<Error = E>>,
{
    type Output = Result<T, Errors<E>>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        poll(this.pass, this.errors, this.storage, cx)
    }
}

#[inline]
fn poll<R, T, E>(
    pass: &mut PollPass,
    found: &mut Option<Errors<E>>,
    mut storage: Pin<&mut R>,
    cx: &mut Context<'_>,
) -> Poll<Result<T, Errors<E>>>
where
    R: UniformStorage<Output = Result<T, E>>,
{
    pass.enter("RaceOk");
    let errors = found.get_or_insert_with(Errors::new);
    let wins = |storage: Pin<&mut R>, child| match storage.take(child) {
        Some(Ok(value)) => ControlFlow::Break(value),
        Some(Err(error)) => {
            errors.push(child, error);
            ControlFlow::Continue(())
        }
        None => ControlFlow::Continue(()),
    };
    let Poll::Ready(winner) = pass.run(storage.as_mut(), cx, wins) else {
        pass.pause();
        return Poll::Pending;
    };
    pass.release::<R>();
    storage.clear();
    pass.finish_released();
    let errors = found.take();
    Poll::Ready(winner.ok_or_else(|| errors.expect("made above")))
}

impl<C: Children<Storage: FallibleStorage>> fmt::Debug for RaceOk<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RaceOk")
            .field("children", &States(&self.storage))
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
    Vec<<I::Item as IntoFuture>::IntoFuture>: Children<Storage: FallibleStorage>,
{
    RaceOk::new(FromIter(futures.into_iter()))
}
