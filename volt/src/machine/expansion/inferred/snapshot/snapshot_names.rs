//! The names of the states and of their values in snapshots.

use super::sources::OlderFields;

/// The names of a machine in its snapshots. The expansion has them in one constant, because the
/// compiler checks each constant by itself.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotNames {
    /// The states that store values: the start, then each await.
    pub states: &'static [&'static str],
    /// The number of each of these states in the tag. All other awaits are in steps.
    pub tags: &'static [u8],
    /// The values of each state.
    pub values: &'static [&'static [&'static str]],
    /// The index of each of these values in the list of all values, without a list for each state.
    pub indices: &'static [u16],
    /// The names of older builds, if there are some.
    pub older: Option<OlderNames>,
}

/// The names in snapshots of older builds.
#[derive(Clone, Copy, Debug)]
pub struct OlderNames {
    /// The present names of the states, then the older ones.
    pub states: &'static [&'static str],
    /// The index of the state of each older name.
    pub state_indices: &'static [usize],
    /// The present names of the values of each state, then the older ones.
    pub values: &'static [&'static [&'static str]],
    /// The index of the value of each older name, for each state.
    pub value_indices: &'static [&'static [usize]],
}

impl SnapshotNames {
    /// Returns all names of states.
    pub(super) fn all_states(&self) -> &'static [&'static str] {
        self.older.map_or(self.states, |older| older.states)
    }

    /// Returns all names of the values of a state.
    pub(super) fn all_values(&self, state: usize) -> &'static [&'static str] {
        let all = self.older.map_or(self.values, |older| older.values);
        all[state]
    }

    /// Returns the index of the state with a name.
    pub(super) fn state(&self, name: &str) -> Option<usize> {
        let mut names = self.all_states().iter();
        let index = names.position(|state| *state == name)?;
        // The names of older builds are after those of this one.
        match (index.checked_sub(self.states.len()), self.older) {
            (Some(older), Some(names)) => Some(names.state_indices[older]),
            _ => Some(index),
        }
    }

    /// Returns the older names of the values of a state.
    pub(super) fn older_values(&self, state: usize) -> OlderFields {
        let indices = self.older.map(|older| older.value_indices[state]);
        OlderFields {
            names: &self.all_values(state)[self.values[state].len()..],
            indices: indices.unwrap_or_default(),
        }
    }
}
