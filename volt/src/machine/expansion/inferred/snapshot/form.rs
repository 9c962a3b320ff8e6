//! The form of each type in a snapshot, by autoref specialization.
//!
//! `slot.__volt_form_probe().__volt_form()` calls the first method that applies to the slot's type:
//!
//! ```text
//! FormProbe<T>       RangeInclusive<U>             its bounds, and if it is exhausted
//!     │ Deref        &U, &mut U                    none
//! OwnFormProbe<T>    Serialize, DeserializeOwned   its own
//!     │ Deref
//! AnyFormProbe<T>    vec::IntoIter<U>              the values that are left
//!     │ Deref        Pin<Box<F>>                   that of the machine in the box
//!     │ Deref        array::IntoIter<U, N>         the same, and their number
//! LastFormProbe<T>   any other                     none
//! ```
//!
//! A slot that a snapshot contains only for the destructor has `DroppedFormProbe<T>` before these:
//! a type without a destructor is in no snapshot, so it needs no form. If a method may have moved
//! the value, a constant states that no snapshot contains it: `QueriedFormProbe<T, true>`.
//!
//! References are in the first row, because method resolution ignores lifetimes: it would accept
//! `&'a str`, which can be read only from an input that lives as long as `'a`. The range is there
//! because its own form omits that it is exhausted.

#[cfg(feature = "alloc")]
use core::array;
use core::marker::PhantomData;
use core::ops::{Deref, RangeInclusive};
#[cfg(feature = "alloc")]
use core::pin::Pin;

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec, vec::Vec};

#[cfg(feature = "alloc")]
use serde::Serializer;
use serde::de::{DeserializeOwned, Deserializer};
use serde::{Deserialize as _, Serialize};
#[cfg(feature = "alloc")]
use serde::{de::Error as _, ser::Error as _};

use super::super::modes::StorageForm;
use super::super::slots::AnySlot;
#[cfg(feature = "alloc")]
use super::depth::{Level, TooDeep};

/// A slot whose values of type `T` have the form `K`.
#[derive(Debug)]
pub struct FormOf<T, K>(AnySlot<T>, PhantomData<fn() -> K>);

impl<T, K> Clone for FormOf<T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, K> Copy for FormOf<T, K> {}

impl<T, K> FormOf<T, K> {
    /// Returns the slot.
    pub(super) fn slot(&self) -> &AnySlot<T> {
        &self.0
    }
}

/// The kind of a form, which code that never runs converts to a trait object of the field. The type
/// `!` is converted to each, so the trait has no implementation.
impl<T, K> FormOf<T, Storable<K>> {
    /// Is never called.
    pub fn __volt_kind(&self) -> ! {
        unreachable!("only the types of this call are used")
    }
}

/// A type without a form has no trait of a field, which is the error.
impl<T> FormOf<T, Unreadable<T>> {
    /// Returns a reference of the type that the error names.
    pub fn __volt_kind(&self) -> &T {
        unreachable!("the expansion does not compile")
    }
}

/// A form by which values are written and read.
#[derive(Debug)]
pub struct Storable<K>(PhantomData<fn() -> K>);

/// The type's own `Serialize` and `Deserialize`.
#[derive(Debug)]
pub struct ByValue;

/// The values that an iterator has not returned yet.
#[derive(Debug)]
pub struct Remaining;

/// The bounds of a range, and `true` if it is exhausted.
#[derive(Debug)]
pub struct RemainingRange;

/// The values that an iterator of an array has not returned yet, and the number of the others.
#[derive(Debug)]
pub struct RemainingArray;

/// The contents of a pinned box.
#[derive(Debug)]
pub struct PinnedBox;

/// No form, because the type has no destructor and the value is only dropped later.
#[derive(Debug)]
pub struct OnlyDropped;

/// The first probe for the type of a slot that is stored only for its destructor.
#[derive(Debug)]
pub struct DroppedFormProbe<T>(DroppedBorrowProbe<T>);

#[derive(Debug)]
#[doc(hidden)]
pub struct DroppedBorrowProbe<T>(FormProbe<T>);

/// The first probe for the type of a slot that is stored only for its destructor, and whose value a
/// method may have moved. The constant is `true` if no snapshot contains the value.
#[derive(Debug)]
pub struct QueriedFormProbe<T, const IS_UNSTORED: bool>(DroppedFormProbe<T>);

/// The first probe for the type of a slot.
#[derive(Debug)]
pub struct FormProbe<T>(OwnFormProbe<T>);

#[derive(Debug)]
#[doc(hidden)]
pub struct OwnFormProbe<T>(AnyFormProbe<T>);

#[derive(Debug)]
#[doc(hidden)]
pub struct AnyFormProbe<T>(LastFormProbe<T>);

#[derive(Debug)]
#[doc(hidden)]
pub struct LastFormProbe<T>(AnySlot<T>);

/// No form. It has an implementation only so that its error is reported once.
#[derive(Debug)]
pub struct Unreadable<T>(PhantomData<fn(T) -> T>);

impl<T> AnySlot<T> {
    /// Returns the probe for the type of the slot. If the slot has no type, because the function
    /// has an error, a method call has no type either and is no second error.
    pub fn __volt_form_probe(&self) -> FormProbe<T> {
        FormProbe(OwnFormProbe(AnyFormProbe(LastFormProbe(*self))))
    }

    /// Returns the probe for the type of a slot that a snapshot contains only for the destructor.
    pub fn __volt_dropped_form_probe(&self) -> DroppedFormProbe<T> {
        DroppedFormProbe(DroppedBorrowProbe(self.__volt_form_probe()))
    }

    /// Returns the probe for the type of such a slot, if a method may have moved the value.
    pub fn __volt_queried_form_probe<const IS_UNSTORED: bool>(
        &self,
    ) -> QueriedFormProbe<T, IS_UNSTORED> {
        QueriedFormProbe(self.__volt_dropped_form_probe())
    }

    /// Returns the form of a type that is written, and known to have its own form.
    pub fn __volt_own_form(&self) -> FormOf<T, Storable<ByValue>>
    where
        T: Serialize + DeserializeOwned,
    {
        FormOf(*self, PhantomData)
    }
}

impl<T, const IS_UNSTORED: bool> Deref for QueriedFormProbe<T, IS_UNSTORED> {
    type Target = DroppedFormProbe<T>;

    fn deref(&self) -> &DroppedFormProbe<T> {
        &self.0
    }
}

impl<T> Deref for DroppedFormProbe<T> {
    type Target = DroppedBorrowProbe<T>;

    fn deref(&self) -> &DroppedBorrowProbe<T> {
        &self.0
    }
}

impl<T> Deref for DroppedBorrowProbe<T> {
    type Target = FormProbe<T>;

    fn deref(&self) -> &FormProbe<T> {
        &self.0
    }
}

impl<T> Deref for FormProbe<T> {
    type Target = OwnFormProbe<T>;

    fn deref(&self) -> &OwnFormProbe<T> {
        &self.0
    }
}

impl<T> Deref for OwnFormProbe<T> {
    type Target = AnyFormProbe<T>;

    fn deref(&self) -> &AnyFormProbe<T> {
        &self.0
    }
}

impl<T> Deref for AnyFormProbe<T> {
    type Target = LastFormProbe<T>;

    fn deref(&self) -> &LastFormProbe<T> {
        &self.0
    }
}

impl<T> LastFormProbe<T> {
    fn form<K>(&self) -> FormOf<T, K> {
        FormOf(self.0, PhantomData)
    }
}

/// Implements `__volt_form` for a probe.
macro_rules! form {
    ($(#[$meta:meta])* [$($generics:tt)*] $Probe:ident<$T:ty> => $Form:ty) => {
        $(#[$meta])*
        impl<$($generics)*> $Probe<$T> {
            /// Returns the form.
            pub fn __volt_form(&self) -> FormOf<$T, $Form> {
                self.form()
            }
        }
    };
}

impl<T> QueriedFormProbe<T, true> {
    /// Returns the form.
    pub fn __volt_form(&self) -> FormOf<T, Storable<OnlyDropped>> {
        self.form()
    }
}

form!([T: Copy] DroppedFormProbe<T> => Storable<OnlyDropped>);
form!(['a, U: ?Sized] DroppedBorrowProbe<&'a mut U> => Storable<OnlyDropped>);
form!(['a, U: ?Sized] FormProbe<&'a U> => Unreadable<&'a U>);
form!(['a, U: ?Sized] FormProbe<&'a mut U> => Unreadable<&'a mut U>);

/// A range that is no iterator is never exhausted, and has its own form.
impl<U: Serialize + DeserializeOwned + PartialOrd> FormProbe<RangeInclusive<U>>
where
    RangeInclusive<U>: Iterator,
{
    /// Returns the form.
    pub fn __volt_form(&self) -> FormOf<RangeInclusive<U>, Storable<RemainingRange>> {
        self.form()
    }
}

form!([T: Serialize + DeserializeOwned] OwnFormProbe<T> => Storable<ByValue>);
form!(
    #[cfg(feature = "alloc")]
    [U: Serialize + DeserializeOwned] AnyFormProbe<vec::IntoIter<U>> => Storable<Remaining>
);
form!(
    #[cfg(feature = "alloc")]
    [F: Serialize + DeserializeOwned] AnyFormProbe<Pin<Box<F>>> => Storable<PinnedBox>
);
form!(
    #[cfg(feature = "alloc")]
    [U: Serialize + DeserializeOwned, const N: usize]
    AnyFormProbe<array::IntoIter<U, N>> => Storable<RemainingArray>
);
form!([T] LastFormProbe<T> => Unreadable<T>);

impl<T> StorageForm<T> for Unreadable<T> {
    fn serialize<S: serde::Serializer>(_: &T, _: S) -> Result<S::Ok, S::Error> {
        unreachable!("the expansion does not compile")
    }

    fn deserialize<'de, D: Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        unreachable!("the expansion does not compile")
    }
}

impl<T> StorageForm<T> for Storable<OnlyDropped> {
    fn serialize<S: serde::Serializer>(_: &T, _: S) -> Result<S::Ok, S::Error> {
        unreachable!("no snapshot contains a value without a destructor that is only dropped")
    }

    fn deserialize<'de, D: Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        unreachable!("no snapshot contains a value without a destructor that is only dropped")
    }
}

impl<T: Serialize + DeserializeOwned> StorageForm<T> for Storable<ByValue> {
    fn serialize<S: serde::Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

impl<U: Serialize + DeserializeOwned + PartialOrd> StorageForm<RangeInclusive<U>>
    for Storable<RemainingRange>
where
    RangeInclusive<U>: Iterator,
{
    fn serialize<S: serde::Serializer>(
        range: &RangeInclusive<U>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let (start, end) = (range.start(), range.end());
        // A range whose bounds are in order is empty only if it is exhausted. The bounds are
        // unspecified then, and any value that is both bounds gives an exhausted range again.
        if start <= end && range.is_empty() {
            return (end, end, true).serialize(serializer);
        }
        (start, end, false).serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<RangeInclusive<U>, D::Error> {
        let (start, end, is_exhausted) = <(U, U, bool)>::deserialize(deserializer)?;
        let mut range = start..=end;
        if is_exhausted {
            // The only value, because the bounds of an exhausted range are written as one value.
            drop(range.next());
        }
        Ok(range)
    }
}

#[cfg(feature = "alloc")]
impl<U: Serialize + DeserializeOwned> StorageForm<vec::IntoIter<U>> for Storable<Remaining> {
    fn serialize<S: Serializer>(
        values: &vec::IntoIter<U>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        values.as_slice().serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<vec::IntoIter<U>, D::Error> {
        let values = Vec::deserialize(deserializer)?;
        Ok(values.into_iter())
    }
}

/// An iterator of `N` values is created from an array of as many. So the values that are left are
/// written after copies of the first of them.
#[cfg(feature = "alloc")]
impl<U: Serialize + DeserializeOwned, const N: usize> StorageForm<array::IntoIter<U, N>>
    for Storable<RemainingArray>
{
    fn serialize<S: Serializer>(
        values: &array::IntoIter<U, N>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let left = values.as_slice();
        let returned = N - left.len();
        let copies = left.first().into_iter().cycle().take(returned);
        (returned, copies.chain(left).collect::<Vec<_>>()).serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<array::IntoIter<U, N>, D::Error> {
        let (returned, values) = <(usize, Vec<U>)>::deserialize(deserializer)?;
        if values.is_empty() {
            return Ok(array::IntoIter::default());
        }
        let values: Result<[U; N], _> = values.try_into();
        let error =
            |values: Vec<U>| D::Error::invalid_length(values.len(), &"as many as the array");
        let mut values = values.map_err(error)?.into_iter();
        values.by_ref().take(returned).for_each(drop);
        Ok(values)
    }
}

#[cfg(feature = "alloc")]
impl<F: Serialize + DeserializeOwned> StorageForm<Pin<Box<F>>> for Storable<PinnedBox> {
    fn serialize<S: Serializer>(future: &Pin<Box<F>>, serializer: S) -> Result<S::Ok, S::Error> {
        let _level = Level::enter().ok_or_else(|| S::Error::custom(TooDeep))?;
        F::serialize(future, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pin<Box<F>>, D::Error> {
        let _level = Level::enter().ok_or_else(|| D::Error::custom(TooDeep))?;
        F::deserialize(deserializer).map(Box::pin)
    }
}
