//! The memory of children: their futures while they are polled, and their outputs afterwards.
//!
//! A child storage is a tuple or an array of [`Slot`]s, or a boxed slice of them. The combinators
//! use it through these traits: [`ChildStorage`] polls by number, [`JoinStorage`] returns all
//! outputs together, [`UniformStorage`] returns one output, and [`FallibleStorage`] separates
//! errors from values.
//!
//! A storage is pinned together with its slots. `pinned` explains why that is sound, and is the
//! only file with `unsafe`.

mod slot;
mod pinned;
mod child_storage;
mod array;
#[cfg(feature = "alloc")]
mod boxed;
mod tuple;

#[cfg(feature = "alloc")]
pub(crate) use self::boxed::FromIter;
pub(crate) use self::child_storage::{ChildStorage, FallibleStorage, JoinStorage, UniformStorage};
pub use self::child_storage::{Children, IntoChildren};
pub(crate) use self::child_storage::{SHARED_WAKER_CHILDREN, States};
#[cfg(feature = "alloc")]
pub(crate) use self::pinned::{as_slice, element};
pub(crate) use self::slot::ChildPoll;
