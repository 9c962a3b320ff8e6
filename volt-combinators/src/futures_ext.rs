//! The combinators of several futures, as methods.

use crate::joining::Join;
#[cfg(feature = "alloc")]
use crate::partitioning::Partition;
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
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::ready;
    /// use volt_combinators::FuturesExt;
    ///
    /// assert_eq!(block_on((ready(1), ready("two")).join()), (1, "two"));
    /// ```
    #[inline]
    fn join(self) -> Join<Self::Children>
    where
        Self::Children: Children<Row: JoinRow>,
    {
        Join::new(self)
    }

    /// Waits for all values; the first error ends it and drops the others before it is returned.
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::{pending, ready};
    /// use volt_combinators::FuturesExt;
    ///
    /// assert_eq!(block_on((ready(Ok::<_, ()>(1)), ready(Ok("two"))).try_join()), Ok((1, "two")));
    /// assert_eq!(block_on((pending::<Result<(), _>>(), ready(Err::<(), _>("no"))).try_join()), Err("no"));
    /// ```
    #[inline]
    fn try_join(self) -> TryJoin<Self::Children>
    where
        Self::Children: Children<Row: FallibleRow>,
    {
        TryJoin::new(self)
    }

    /// Waits for all, errors or not: all values, or all errors with the futures' numbers.
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::ready;
    /// use volt_combinators::FuturesExt;
    ///
    /// let settled = block_on([ready(Ok(1)), ready(Err("no")), ready(Err("nor"))].settle());
    /// assert_eq!(settled.unwrap_err().as_slice(), [(1, "no"), (2, "nor")]);
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    fn settle(self) -> Settle<Self::Children>
    where
        Self::Children: Children<Row: FallibleRow>,
    {
        Settle::new(self)
    }

    /// Waits for all, errors or not: the values and the errors, with the futures' numbers.
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::ready;
    /// use volt_combinators::FuturesExt;
    ///
    /// let (values, errors) = block_on([ready(Ok(1)), ready(Err("no")), ready(Ok(3))].partition());
    /// assert_eq!(values, [(0, 1), (2, 3)]);
    /// assert_eq!(errors.as_slice(), [(1, "no")]);
    /// ```
    #[cfg(feature = "alloc")]
    #[doc(alias = "tryJoinAll")]
    #[inline]
    fn partition<T, E>(self) -> Partition<Self::Children>
    where
        Self::Children: Children<Row: UniformRow<Output = Result<T, E>>>,
    {
        Partition::new(self)
    }

    /// Waits for the first, and drops the others before it returns.
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::{pending, ready};
    /// use volt_combinators::FuturesExt;
    ///
    /// assert_eq!(block_on((pending(), ready(2)).race()), 2);
    /// ```
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
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::ready;
    /// use volt_combinators::FuturesExt;
    ///
    /// assert_eq!(block_on([ready(Err("down")), ready(Ok(2))].race_ok()), Ok(2));
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    fn race_ok<T, E>(self) -> RaceOk<Self::Children>
    where
        Self::Children: Children<Row: UniformRow<Output = Result<T, E>> + FallibleRow<Error = E>>,
    {
        RaceOk::new(self)
    }

    /// Yields one completion at a time; the others stay in place.
    ///
    /// ```
    /// # use futures::executor::block_on;
    /// use core::future::ready;
    /// use core::pin::pin;
    /// use volt_combinators::FuturesExt;
    ///
    /// let mut selected = pin!([ready('a'), ready('b')].select());
    /// assert_eq!(block_on(selected.as_mut().next()), Some((0, 'a')));
    /// assert_eq!(block_on(selected.as_mut().next()), Some((1, 'b')));
    /// ```
    #[inline]
    fn select(self) -> Select<Self::Children>
    where
        Self::Children: Children<Row: UniformRow>,
    {
        Select::new(self)
    }
}

impl<C: IntoChildren> FuturesExt for C {}
