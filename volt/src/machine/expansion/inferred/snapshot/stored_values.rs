//! The values of a state, as a list, and the condition under which a slot has a value.

use core::mem;

use super::super::modes::{StorageForm, StoredValues, ValueReader, ValueWriter};
use super::super::slots::AnySlot;
use super::form::FormOf;

/// The condition under which a slot has a value in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredUnless {
    /// The slot always has a value.
    Never,
    /// The slot has a value unless its type has no destructor: the value is only dropped later.
    NoDestructor,
    /// The slot has no value: a method has moved it.
    Moved,
}

impl StoredUnless {
    /// Returns the condition of a value that a method may have moved. If it is unborrowed, it is
    /// only dropped later: no value borrows from it.
    #[must_use]
    pub const fn of(is_moved: bool, is_unborrowed: bool) -> Self {
        match (is_moved, is_unborrowed) {
            (true, _) => Self::Moved,
            (false, true) => Self::NoDestructor,
            (false, false) => Self::Never,
        }
    }
}

/// A value of a state: a slot with its form, and the condition under which it has a value.
pub trait StoredValue: Copy {
    /// The type of the value.
    type Value;
    /// The form of the value.
    type Form: StorageForm<Self::Value>;

    /// Returns the slot.
    fn slot(&self) -> &AnySlot<Self::Value>;

    /// Returns the condition under which the slot has no value.
    fn unless(&self) -> StoredUnless;

    /// Returns the value of a snapshot without it, or records an error.
    fn missing<R: ValueReader>(&self, name: &'static str, reader: &mut R) -> Option<Self::Value> {
        reader.missing_value::<Self::Value, Self::Form>(name)
    }

    /// Returns `true` if the slot has a value in the state.
    fn has_value(&self) -> bool {
        match self.unless() {
            StoredUnless::Never => true,
            StoredUnless::NoDestructor => mem::needs_drop::<Self::Value>(),
            StoredUnless::Moved => false,
        }
    }
}

impl<T, F: StorageForm<T>> StoredValue for FormOf<'_, T, F> {
    type Value = T;
    type Form = F;

    fn slot(&self) -> &AnySlot<T> {
        FormOf::slot(self)
    }

    fn unless(&self) -> StoredUnless {
        StoredUnless::Never
    }
}

impl<T, F: StorageForm<T>> StoredValue for (FormOf<'_, T, F>, StoredUnless) {
    type Value = T;
    type Form = F;

    fn slot(&self) -> &AnySlot<T> {
        FormOf::slot(&self.0)
    }

    fn unless(&self) -> StoredUnless {
        self.1
    }
}

/// A value with a default, for snapshots of older builds.
#[derive(Clone, Copy, Debug)]
pub struct WithDefault<V, D>(V, D);

impl<V: StoredValue, D: Fn() -> V::Value> WithDefault<V, D> {
    /// Creates a value with a default.
    pub const fn new(value: V, default: D) -> Self {
        Self(value, default)
    }
}

impl<V: StoredValue, D: Fn() -> V::Value + Copy> StoredValue for WithDefault<V, D> {
    type Value = V::Value;
    type Form = V::Form;

    fn slot(&self) -> &AnySlot<V::Value> {
        self.0.slot()
    }

    fn unless(&self) -> StoredUnless {
        self.0.unless()
    }

    fn missing<R: ValueReader>(&self, _: &'static str, _: &mut R) -> Option<V::Value> {
        Some((self.1)())
    }
}

impl StoredValues for () {
    type Read = ();

    fn is_stored(self, _: usize) -> bool {
        false
    }

    fn write<W: ValueWriter>(self, _: &[&'static str], _: &mut W) {}

    fn read<R: ValueReader>(self, _: usize, _: &[&'static str], (): &mut (), _: &mut R) {}

    fn complete<R: ValueReader>(self, _: &[&'static str], (): &mut (), _: &mut R) -> bool {
        true
    }

    fn store(self, (): ()) {}
}

/// The first value, and the others.
impl<V: StoredValue, O: StoredValues> StoredValues for (V, O) {
    type Read = (ReadValue<V::Value>, O::Read);

    fn is_stored(self, index: usize) -> bool {
        match index.checked_sub(1) {
            None => self.0.has_value(),
            Some(index) => self.1.is_stored(index),
        }
    }

    fn write<W: ValueWriter>(self, names: &[&'static str], writer: &mut W) {
        let [name, others @ ..] = names else { return };
        if self.0.has_value() {
            writer.write_value::<V::Value, V::Form>(name, self.0.slot().peek());
        }
        self.1.write(others, writer);
    }

    fn read<R: ValueReader>(
        self,
        index: usize,
        names: &[&'static str],
        read: &mut Self::Read,
        reader: &mut R,
    ) {
        let [name, others @ ..] = names else { return };
        let value = &mut read.0.0;
        match index.checked_sub(1) {
            Some(index) => self.1.read(index, others, &mut read.1, reader),
            None if value.is_some() => reader.set_duplicate(name),
            None => *value = reader.read_value::<V::Value, V::Form>(name),
        }
    }

    fn complete<R: ValueReader>(
        self,
        names: &[&'static str],
        read: &mut Self::Read,
        reader: &mut R,
    ) -> bool {
        let [name, others @ ..] = names else {
            return false;
        };
        let value = &mut read.0.0;
        if self.0.has_value() && value.is_none() {
            *value = self.0.missing(name, reader);
            if value.is_none() {
                return false;
            }
        }
        self.1.complete(others, &mut read.1, reader)
    }

    fn store(self, (value, others): Self::Read) {
        if let Some(value) = value.0 {
            self.0.slot().fill(value);
        }
        self.1.store(others);
    }
}

/// A value that was read, or `None` before that.
#[derive(Debug)]
pub struct ReadValue<T>(Option<T>);

impl<T> Default for ReadValue<T> {
    fn default() -> Self {
        Self(None)
    }
}
