//! The values of a state while they are read, and the condition under which a slot has a value.

use core::marker::PhantomData;
use core::mem;

use super::super::modes::{Mode, StorageForm};
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

impl<T> AnySlot<T> {
    /// Returns `true` if the slot has a value in a state.
    #[must_use]
    pub fn is_stored(&self, unless: StoredUnless) -> bool {
        match unless {
            StoredUnless::Never => true,
            StoredUnless::NoDestructor => mem::needs_drop::<T>(),
            StoredUnless::Moved => false,
        }
    }

    /// Writes the value, if the slot has one.
    pub fn write<M: Mode, F: StorageForm<T>>(
        &self,
        mode: &mut M,
        _: FormOf<T, F>,
        unless: StoredUnless,
        name: &'static str,
    ) {
        if self.is_stored(unless) {
            mode.write_value::<T, F>(name, self.peek());
        }
    }
}

/// A value of a slot that is read. It is on the stack until all values of the state are complete.
#[derive(Debug)]
pub struct UnreadValue<'s, T, F> {
    slot: &'s AnySlot<T>,
    is_stored: bool,
    value: Option<T>,
    form: PhantomData<fn() -> F>,
}

impl<'s, T, F: StorageForm<T>> UnreadValue<'s, T, F> {
    /// Returns the value of a slot, which is not read yet.
    pub fn of(slot: &'s AnySlot<T>, _: FormOf<T, F>, unless: StoredUnless) -> Self {
        Self {
            slot,
            is_stored: slot.is_stored(unless),
            value: None,
            form: PhantomData,
        }
    }

    /// Returns `true` if the slot has a value in the state.
    #[must_use]
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// Reads the value. A second value is an error, and the first one is dropped with the others.
    pub fn read<M: Mode>(&mut self, mode: &mut M, name: &'static str) {
        if self.value.is_some() {
            mode.set_duplicate(name);
        } else {
            self.value = mode.read_value::<T, F>();
        }
    }

    /// Returns `true` if the value was read, or the slot has none in the state.
    pub fn is_complete<M: Mode>(&mut self, mode: &mut M, name: &'static str) -> bool {
        if self.is_stored && self.value.is_none() {
            self.value = mode.missing_value::<T, F>(name);
        }
        !self.is_stored || self.value.is_some()
    }

    /// Stores the value in its slot, which has none.
    pub fn store(self) {
        if let Some(value) = self.value {
            self.slot.fill(value);
        }
    }
}
