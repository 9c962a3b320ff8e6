//! The part of a mode that writes the stored values to a serializer, or reads them.
//!
//! A machine of another mode has none of this code: the two constants are `false` for all modes
//! but those of [`snapshot`](super::super::snapshot). Without the feature `serde` nothing but the
//! constants is left.

#[cfg(feature = "serde")]
use serde::{Deserializer, Serializer};

/// A stored field of a state: its name, and `true` if the field has a value in this state.
#[cfg(feature = "serde")]
pub type FieldPresence = (&'static str, bool);

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

/// A mode that may write the stored values to a serializer, or read them.
pub trait SnapshotMode {
    /// `true` if the stored values are written.
    const WRITES: bool = false;
    /// `true` if the stored values are read.
    const READS: bool = false;

    /// Begins to write a state. Each field is `true` if it has a value in this state.
    #[cfg(feature = "serde")]
    fn begin_state(&mut self, state: usize, fields: &[bool]) {
        let _ = (state, fields);
    }

    /// Writes a value.
    #[cfg(feature = "serde")]
    fn write_value<T, F: StorageForm<T>>(&mut self, name: &'static str, value: &T) {
        let _ = (name, value);
    }

    /// Returns the index of the field whose value is next in the input. Returns `None` after the
    /// last one, and after an error.
    #[cfg(feature = "serde")]
    fn next_field(&mut self, fields: &[FieldPresence]) -> Option<usize> {
        let _ = fields;
        None
    }

    /// Reads the next value. Returns `None` after an error.
    #[cfg(feature = "serde")]
    fn read_value<T, F: StorageForm<T>>(&mut self) -> Option<T> {
        None
    }

    /// Returns the value of a field that is not in the input: `None` for an `Option`, and an error
    /// for all other types.
    #[cfg(feature = "serde")]
    fn missing_value<T, F: StorageForm<T>>(&mut self, name: &'static str) -> Option<T> {
        let _ = name;
        None
    }

    /// Records the error that a field is in the input twice.
    #[cfg(feature = "serde")]
    fn set_duplicate(&mut self, name: &'static str) {
        let _ = name;
    }

    /// Returns `true` if there was no error. Otherwise no value is stored.
    #[cfg(feature = "serde")]
    fn is_valid(&self) -> bool {
        false
    }

    /// Records that all values of the state are in their places.
    #[cfg(feature = "serde")]
    fn set_complete(&mut self) {}
}
