//! Values that a durable function moves out of a local, which a snapshot contains nevertheless.
//!
//! `__WellTyped::moved(&mut page.next).__volt_take()` calls the first method that applies:
//!
//! ```text
//! MovedPart<T>   Copy             copies the value
//!     │ Deref
//! LeftPart<T>    HasEmptyValue    moves the value, and leaves an empty one
//! ```
//!
//! A `&mut` to a part may be an error if its type is `Copy`. There, the calls of [`CopiedPart`] and
//! [`OtherPart`] decide by the type. The code for moved parts follows a call that returns
//! [`Never`].

use core::mem;
use core::ops::{Deref, DerefMut};

#[cfg(feature = "alloc")]
use alloc::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque},
    string::String,
    vec::Vec,
};
#[cfg(feature = "std")]
use std::collections::{HashMap, HashSet};

use super::super::probe::{Never, WellTyped};

/// The place of a value that is moved or copied.
#[derive(Debug)]
pub struct MovedPart<'p, T>(LeftPart<'p, T>);

/// The place of a value that is not `Copy`.
#[derive(Debug)]
pub struct LeftPart<'p, T>(&'p mut T);

impl<const IS: bool> WellTyped<IS> {
    /// Returns the place of a value that is moved out of a local, or copied.
    #[inline]
    pub fn moved<T>(place: &mut T) -> MovedPart<'_, T> {
        MovedPart(LeftPart(place))
    }
}

/// A part that may be copied.
#[derive(Debug)]
pub struct CopiedPart<'p, T>(OtherPart<'p, T>);

/// A part that is not `Copy`.
#[derive(Debug)]
pub struct OtherPart<'p, T>(&'p T);

/// A value that was moved or copied.
#[derive(Debug)]
pub struct PartValue<T>(T);

impl<const IS: bool> WellTyped<IS> {
    /// Returns a part that may be copied.
    #[inline]
    pub fn part<T>(place: &T) -> CopiedPart<'_, T> {
        CopiedPart(OtherPart(place))
    }

    /// Returns the value of a part.
    #[inline]
    pub fn value<T>(value: T) -> PartValue<T> {
        PartValue(value)
    }
}

impl<T> PartValue<T> {
    /// Returns the value.
    #[inline]
    #[must_use]
    pub fn __volt_take(self) -> T {
        self.0
    }
}

impl<'p, T> Deref for CopiedPart<'p, T> {
    type Target = OtherPart<'p, T>;

    #[inline]
    fn deref(&self) -> &OtherPart<'p, T> {
        &self.0
    }
}

impl<T: Copy> CopiedPart<'_, T> {
    /// Returns `true`.
    #[inline]
    #[must_use]
    pub fn __volt_is_copied(&self) -> bool {
        true
    }

    /// Returns a copy.
    #[inline]
    #[must_use]
    pub fn __volt_copy(&self) -> T {
        *self.0.0
    }

    /// Is never called.
    pub fn __volt_assume_moved(&self) -> Never {
        unreachable!("a `Copy` value is copied")
    }
}

impl<T> OtherPart<'_, T> {
    /// Returns `false`.
    #[inline]
    #[must_use]
    pub fn __volt_is_copied(&self) -> bool {
        false
    }

    /// Is never called.
    #[must_use]
    pub fn __volt_copy(&self) -> T {
        unreachable!("the value is moved")
    }

    /// Precedes code that moves the value.
    #[inline]
    pub fn __volt_assume_moved(&self) {}
}

impl<'p, T> Deref for MovedPart<'p, T> {
    type Target = LeftPart<'p, T>;

    #[inline]
    fn deref(&self) -> &LeftPart<'p, T> {
        &self.0
    }
}

impl<T> DerefMut for MovedPart<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<T: Copy> MovedPart<'_, T> {
    /// Returns a copy.
    #[inline]
    #[must_use]
    pub fn __volt_take(&mut self) -> T {
        *self.0.0
    }
}

impl<T> LeftPart<'_, T> {
    /// Moves the value, and leaves an empty one.
    #[inline]
    #[must_use]
    pub fn __volt_take(&mut self) -> T
    where
        T: HasEmptyValue,
    {
        mem::take(self.0)
    }
}

/// A type with an empty value, whose drop has no effect.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` is moved, and its local is live across an await",
    label = "moved on some of the paths to the await, or out of a local whose rest is live",
    note = "a snapshot contains the local with an empty value in place of the moved one: a \
            collection, a `String`, an `Option`, or a copy of a `Copy` type",
    note = "store the value in an `Option`, borrow or clone it, or move it after the last await"
)]
pub trait HasEmptyValue: Default {}

impl<T> HasEmptyValue for Option<T> {}

macro_rules! has_empty_value {
    ($feature:literal: $($Type:ident [$($T:ident)*])*) => { $(
        #[cfg(feature = $feature)]
        impl<$($T),*> HasEmptyValue for $Type<$($T),*> {}
    )* };
}

has_empty_value! {
    "alloc": Vec [T] String [] VecDeque [T] BTreeMap [K V] BTreeSet [T]
}
has_empty_value! {
    "std": HashMap [K V] HashSet [T]
}

#[cfg(feature = "alloc")]
impl<T: Ord> HasEmptyValue for BinaryHeap<T> {}
