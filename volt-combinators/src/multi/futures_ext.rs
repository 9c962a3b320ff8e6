//! The combinators of several futures, as methods.

use super::join::Join;
#[cfg(feature = "alloc")]
use super::partition::Partition;
use super::race::Race;
#[cfg(feature = "alloc")]
use super::race_ok::RaceOk;
use super::select::Select;
#[cfg(feature = "alloc")]
use super::settle::Settle;
use super::try_join::TryJoin;
use crate::slots::{Children, FallibleStorage, IntoChildren, JoinStorage, UniformStorage};

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
    /// Waits for all futures, and returns their outputs in the order of the futures.
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
        Self::Children: Children<Storage: JoinStorage>,
    {
        Join::new(self)
    }

    /// Waits for all values. The first error drops the other futures, and is returned.
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
        Self::Children: Children<Storage: FallibleStorage>,
    {
        TryJoin::new(self)
    }

    /// Waits for all futures; returns all values, or all errors with the futures' numbers.
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
        Self::Children: Children<Storage: FallibleStorage>,
    {
        Settle::new(self)
    }

    /// Waits for all futures; returns the values and the errors, with the futures' numbers.
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
        Self::Children: Children<Storage: UniformStorage<Output = Result<T, E>>>,
    {
        Partition::new(self)
    }

    /// Waits for the first future to complete, and drops the others before it returns.
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
        Self::Children: Children<Storage: UniformStorage>,
    {
        Race::new(self)
    }

    /// Waits for the first value, and drops the other futures before it returns. Returns all errors
    /// if there is no value.
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
        Self::Children:
            Children<Storage: UniformStorage<Output = Result<T, E>> + FallibleStorage<Error = E>>,
    {
        RaceOk::new(self)
    }

    /// Yields one completion at a time. The other futures stay in place.
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
        Self::Children: Children<Storage: UniformStorage>,
    {
        Select::new(self)
    }
}

impl<C: IntoChildren> FuturesExt for C {}
