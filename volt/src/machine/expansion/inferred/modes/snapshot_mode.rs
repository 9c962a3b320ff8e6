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

/// The values of a state: the slots, their forms and the conditions under which they have a value.
///
/// It is a nested list, so an expansion calls one function for each state. The names of the values
/// are those of the state, in the same order.
#[cfg(feature = "serde")]
pub trait StoredValues: Copy {
    /// The values that were read. They are on the stack until all values of the state are complete.
    type Read: Default;

    /// Returns `true` if the value with an index has a value in the state.
    fn is_stored(self, index: usize) -> bool;

    /// Writes the values that the slots have.
    fn write<W: ValueWriter>(self, names: &[&'static str], writer: &mut W);

    /// Reads the value with an index. A second value is an error, and the first one is dropped with
    /// the others.
    fn read<R: ValueReader>(
        self,
        index: usize,
        names: &[&'static str],
        read: &mut Self::Read,
        reader: &mut R,
    );

    /// Returns `true` if all values were read, or have a default.
    fn complete<R: ValueReader>(
        self,
        names: &[&'static str],
        read: &mut Self::Read,
        reader: &mut R,
    ) -> bool;

    /// Stores the values that were read in their slots, which have none.
    fn store(self, read: Self::Read);
}

/// A mode that may write the stored values to a serializer, or read them.
pub trait SnapshotMode {
    /// `true` if the stored values are written.
    const WRITES: bool = false;
    /// `true` if the stored values are read.
    const READS: bool = false;

    /// Writes or reads the values of a state.
    #[cfg(feature = "serde")]
    fn visit_state<V: StoredValues>(&mut self, state: usize, values: V) {
        let _ = (state, values);
    }
}
