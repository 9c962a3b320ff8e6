//! The values of one state: their names, and their places in the list of all values.

use super::super::modes::{ConditionalValue, StoredUnless, StoredValues};
use super::snapshot_names::SnapshotNames;

/// The values of a state.
#[derive(Clone, Copy)]
pub(super) struct StateValues<'c> {
    pub(super) names: &'static [&'static str],
    /// The index of each value in the list of all values.
    indices: &'static [u16],
    state: usize,
    conditions: &'c [ConditionalValue],
}

impl<'c> StateValues<'c> {
    /// Returns the values of a state. `conditions` has those of all states.
    pub(super) fn new(
        names: &SnapshotNames,
        state: usize,
        conditions: &'c [ConditionalValue],
    ) -> Self {
        let start = names.values[..state]
            .iter()
            .map(|values| values.len())
            .sum();
        Self {
            names: names.values[state],
            indices: names.indices.get(start..).unwrap_or_default(),
            state,
            conditions,
        }
    }

    /// Returns the index of a value in the list of all values.
    pub(super) fn index(&self, value: usize) -> usize {
        usize::from(self.indices[value])
    }

    /// Returns `true` if the slot of a value has one in the state.
    pub(super) fn has_value<V: StoredValues>(&self, value: usize, values: V) -> bool {
        let mut conditions = self.conditions.iter();
        let of_value = conditions.find(|(state, at, _)| (*state, *at) == (self.state, value));
        match of_value.map_or(StoredUnless::Never, |(.., unless)| *unless) {
            StoredUnless::Never => true,
            StoredUnless::NoDestructor => values.needs_drop(self.index(value)),
            StoredUnless::Moved => false,
        }
    }

    /// Returns the values whose slots have one in the state.
    pub(super) fn stored<V: StoredValues>(self, values: V) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |value| self.has_value(*value, values))
    }
}
