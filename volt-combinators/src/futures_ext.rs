//! The combinators of several futures, as methods.

use crate::joining::Join;
use crate::racing::Race;
#[cfg(feature = "alloc")]
use crate::racing_ok::RaceOk;
use crate::selecting::Select;
#[cfg(feature = "alloc")]
use crate::settling::Settle;
use crate::slots::{Children, FallibleRow, IntoChildren, JoinRow, UniformRow};
use crate::try_joining::TryJoin;

/// The combinators of several futures, as methods of tuples, arrays, `Vec`s and boxed slices.
///
/// ```
/// use core::future::ready;
/// use volt_combinators::FuturesExt;
///
/// # futures::executor::block_on(async {
/// assert_eq!((ready(1), ready("two")).join().await, (1, "two"));
/// assert_eq!([ready(1), ready(2)].race().await, 1);
/// # });
/// ```
pub trait FuturesExt: IntoChildren + Sized {
    /// Waits for all; the outputs come together, in the order of the futures.
    #[inline]
    fn join(self) -> Join<Self::Children>
    where
        Self::Children: Children<Row: JoinRow>,
    {
        Join::new(self)
    }

    /// Waits for all values; the first error ends it and drops the others before it is returned.
    #[inline]
    fn try_join(self) -> TryJoin<Self::Children>
    where
        Self::Children: Children<Row: FallibleRow>,
    {
        TryJoin::new(self)
    }

    /// Waits for all, errors or not: all values, or all errors with the futures' numbers.
    #[cfg(feature = "alloc")]
    #[inline]
    fn settle(self) -> Settle<Self::Children>
    where
        Self::Children: Children<Row: FallibleRow>,
    {
        Settle::new(self)
    }

    /// Waits for the first, and drops the others before it returns.
    ///
    /// # Panics
    ///
    /// Panics if there are no futures.
    #[inline]
    #[track_caller]
    fn race(self) -> Race<Self::Children>
    where
        Self::Children: Children<Row: UniformRow>,
    {
        Race::new(self)
    }

    /// Waits for the first value, and drops the others before it returns; or all errors.
    #[cfg(feature = "alloc")]
    #[inline]
    fn race_ok<T, E>(self) -> RaceOk<Self::Children>
    where
        Self::Children: Children<Row: UniformRow<Output = Result<T, E>> + FallibleRow<Error = E>>,
    {
        RaceOk::new(self)
    }

    /// Yields one completion at a time; the others stay in place.
    #[inline]
    fn select(self) -> Select<Self::Children>
    where
        Self::Children: Children<Row: UniformRow>,
    {
        Select::new(self)
    }
}

impl<C: IntoChildren> FuturesExt for C {}
