//! The part of a mode that writes the stored values to a serializer, or reads them.
//!
//! A machine of another mode has none of this code: the two constants are `false` for all modes
//! but those of [`snapshot`](super::super::snapshot). Without the feature `serde` nothing but the
//! constants is left.

#[cfg(feature = "serde")]
use serde::{Deserializer, Serializer};

/// The way in which a value of a type is written and read.
#[cfg(feature = "serde")]
pub trait StorageForm<T> {
    /// Writes a value.
    ///
    /// # Errors
    ///
    /// Returns the errors of the serializer.
    fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads a value, which borrows nothing from the input.
    ///
    /// # Errors
    ///
    /// Returns the errors of the deserializer.
    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
}

/// Writes the values of a state, by their names.
#[cfg(feature = "serde")]
pub trait ValueWriter {
    /// Writes a value.
    fn write_value<T, F: StorageForm<T>>(&mut self, name: &'static str, value: &T);
}

/// Reads the values of a state.
#[cfg(feature = "serde")]
pub trait ValueReader {
    /// Reads the next value, which has this name. Returns `None` after an error.
    fn read_value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Option<T>;

    /// Returns the value of a field that is not in the input: `None` for an `Option`, and an error
    /// for all other types.
    fn missing_value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Option<T>;

    /// Records the error that a field is in the input twice.
    fn set_duplicate(&mut self, name: &'static str);
}

/// The values of all states: the slots, with their forms.
///
/// It is a nested list, so an expansion calls one function for all states. Each state has some of
/// the values, which it selects by their indices in the list.
#[cfg(feature = "serde")]
pub trait StoredValues: Copy {
    /// The values that were read. They are on the stack until all values of the state are complete.
    type Read: Default;

    /// Returns `true` if the type of the value with an index has a destructor.
    fn needs_drop(self, index: usize) -> bool;

    /// Writes the value with an index.
    fn write<W: ValueWriter>(self, index: usize, name: &'static str, writer: &mut W);

    /// Reads the value with an index. A second value is an error, and the first one is dropped with
    /// the others.
    fn read<R: ValueReader>(
        self,
        index: usize,
        name: &'static str,
        read: &mut Self::Read,
        reader: &mut R,
    );

    /// Returns `true` if the value with an index was read, or has a default.
    fn complete<R: ValueReader>(
        self,
        index: usize,
        name: &'static str,
        read: &mut Self::Read,
        reader: &mut R,
    ) -> bool;

    /// Stores the values that were read in their slots, which have none.
    fn store(self, read: Self::Read);
}

/// The condition under which a slot has a value in a state.
#[cfg(feature = "serde")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredUnless {
    /// The slot always has a value.
    Never,
    /// The slot has a value unless its type has no destructor: the value is only dropped later.
    NoDestructor,
    /// The slot has no value: a method has moved it.
    Moved,
}

#[cfg(feature = "serde")]
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

/// The value of a state that has a condition: the index of the state, that of the value in it, and
/// the condition. All other values of states have none.
#[cfg(feature = "serde")]
pub type ConditionalValue = (usize, usize, StoredUnless);

/// A mode that may write the stored values to a serializer, or read them.
pub trait SnapshotMode {
    /// `true` if the stored values are written.
    const WRITES: bool = false;
    /// `true` if the stored values are read.
    const READS: bool = false;

    /// Writes or reads the values of the state at a tag.
    #[cfg(feature = "serde")]
    fn visit_values<V: StoredValues>(
        &mut self,
        tag: u8,
        values: V,
        conditions: &[ConditionalValue],
    ) {
        let _ = (tag, values, conditions);
    }
}
