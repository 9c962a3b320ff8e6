//! Rows of children: where they lie while they are polled, and where their outputs wait.
//!
//! A row is a tuple or an array of [`Slot`]s, or a boxed slice of them. The combinators see rows
//! through the traits here: [`Row`] polls by number, [`JoinRow`] hands out all outputs at once,
//! [`UniformRow`] one output, [`FallibleRow`] knows errors from values.
//!
//! Rows are pinned with their slots; `pinned` says why that is so, and alone holds `unsafe`.

mod slot;
mod pinned;
mod row;
mod array;
#[cfg(feature = "alloc")]
mod boxed;
mod tuple;

#[cfg(feature = "alloc")]
pub(crate) use self::boxed::FromIter;
#[cfg(feature = "alloc")]
pub(crate) use self::pinned::{as_slice, element};
pub(crate) use self::row::States;
pub use self::row::{Children, IntoChildren};
pub(crate) use self::row::{FallibleRow, JoinRow, Row, UniformRow};
pub(crate) use self::slot::Turn;
