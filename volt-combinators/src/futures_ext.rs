//! The combinators of several futures, as methods.

use crate::join::Join;
use crate::race::Race;
use crate::select::Select;
use crate::slots::{Children, IntoChildren, JoinRow, UniformRow};

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
    fn join(self) -> Join<Self::Children>
    where
        Self::Children: Children<Row: JoinRow>,
    {
        Join::new(self)
    }

    /// Waits for the first, and drops the others before it returns.
    ///
    /// # Panics
    ///
    /// Panics if there are no futures.
    #[track_caller]
    fn race(self) -> Race<Self::Children>
    where
        Self::Children: Children<Row: UniformRow>,
    {
        Race::new(self)
    }

    /// Yields one completion at a time; the others stay in place.
    fn select(self) -> Select<Self::Children>
    where
        Self::Children: Children<Row: UniformRow>,
    {
        Select::new(self)
    }
}

impl<C: IntoChildren> FuturesExt for C {}
