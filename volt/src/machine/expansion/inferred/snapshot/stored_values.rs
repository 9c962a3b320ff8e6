//! The values of all states, as a list.

use core::mem;

use super::super::modes::{StorageForm, StoredValues, ValueReader, ValueWriter};
use super::super::slots::AnySlot;
use super::form::FormOf;

/// A value of a state: a slot with its form.
pub trait StoredValue: Copy {
    /// The type of the value.
    type Value;
    /// The form of the value.
    type Form: StorageForm<Self::Value>;

    /// Returns the slot.
    fn slot(&self) -> &AnySlot<Self::Value>;

    /// Returns the value of a snapshot without it, or records an error.
    fn missing<R: ValueReader>(&self, name: &'static str, reader: &mut R) -> Option<Self::Value> {
        reader.missing_value::<Self::Value, Self::Form>(name)
    }
}

impl<T, F: StorageForm<T>> StoredValue for FormOf<T, F> {
    type Value = T;
    type Form = F;

    fn slot(&self) -> &AnySlot<T> {
        FormOf::slot(self)
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

    fn missing<R: ValueReader>(&self, _: &'static str, _: &mut R) -> Option<V::Value> {
        Some((self.1)())
    }
}

impl StoredValues for () {
    type Read = ();

    fn needs_drop(self, _: usize) -> bool {
        false
    }

    fn write<W: ValueWriter>(self, _: usize, _: &'static str, _: &mut W) {}

    fn read<R: ValueReader>(self, _: usize, _: &'static str, (): &mut (), _: &mut R) {}

    fn complete<R: ValueReader>(self, _: usize, _: &'static str, (): &mut (), _: &mut R) -> bool {
        true
    }

    fn store(self, (): ()) {}
}

/// The first value, and the others.
impl<V: StoredValue, O: StoredValues> StoredValues for (V, O) {
    type Read = (ReadValue<V::Value>, O::Read);

    fn needs_drop(self, index: usize) -> bool {
        match index.checked_sub(1) {
            None => mem::needs_drop::<V::Value>(),
            Some(index) => self.1.needs_drop(index),
        }
    }

    fn write<W: ValueWriter>(self, index: usize, name: &'static str, writer: &mut W) {
        match index.checked_sub(1) {
            None => writer.write_value::<V::Value, V::Form>(name, self.0.slot().peek()),
            Some(index) => self.1.write(index, name, writer),
        }
    }

    fn read<R: ValueReader>(
        self,
        index: usize,
        name: &'static str,
        read: &mut Self::Read,
        reader: &mut R,
    ) {
        let value = &mut read.0.0;
        match index.checked_sub(1) {
            Some(index) => self.1.read(index, name, &mut read.1, reader),
            None if value.is_some() => reader.set_duplicate(name),
            None => *value = reader.read_value::<V::Value, V::Form>(name),
        }
    }

    fn complete<R: ValueReader>(
        self,
        index: usize,
        name: &'static str,
        read: &mut Self::Read,
        reader: &mut R,
    ) -> bool {
        let value = &mut read.0.0;
        match index.checked_sub(1) {
            Some(index) => return self.1.complete(index, name, &mut read.1, reader),
            None if value.is_none() => *value = self.0.missing(name, reader),
            None => {}
        }
        value.is_some()
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
