//! The mode that writes a machine.

use core::marker::PhantomData;

use serde::ser::{Error as _, SerializeStructVariant};
use serde::{Serialize, Serializer};

use super::super::modes::{Mode, Region, SnapshotMode, StorageForm, StoredValues, ValueWriter};
use super::super::run::{ExplicitMachine, Tag, base, done};
use super::sources::OlderFields;
use crate::machine::steps::note_step;

/// A machine that can be written and read.
///
/// # Safety
///
/// `visit_values` reads the slots of the state at the tag only in a mode that writes, and fills
/// them only in a mode that reads.
pub unsafe trait Snapshot: ExplicitMachine {
    /// The names of the states and of their values.
    const NAMES: SnapshotNames;

    /// Writes or reads the values of the state at the tag. By default `advance` does so, which
    /// infers the types of the fields.
    ///
    /// # Safety
    ///
    /// `base` is the first byte of a live machine. If the mode writes, the machine is only read. If
    /// it reads, there is no other reference to the machine, and no slot has a value.
    unsafe fn visit_values<M: Mode>(base: *mut u8, mode: &mut M) {
        // SAFETY: promised by the caller.
        let _ = unsafe { Self::advance(base, 0, mode, &Region::new()) };
    }
}

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

/// A value with its form.
struct FormValue<'a, T, F>(&'a T, PhantomData<fn() -> F>);

impl<T, F: StorageForm<T>> Serialize for FormValue<'_, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(self.0, serializer)
    }
}

/// The mode that writes the stored values.
struct WriteMode<S: Serializer> {
    machine: &'static str,
    names: &'static SnapshotNames,
    progress: WriteProgress<S>,
}

enum WriteProgress<S: Serializer> {
    NotBegun(S),
    Fields(S::SerializeStructVariant),
    Failed(S::Error),
    /// The serializer has panicked.
    Unknown,
}

impl<S: Serializer> SnapshotMode for WriteMode<S> {
    const WRITES: bool = true;

    fn visit_state<V: StoredValues>(&mut self, state: usize, values: V) {
        let progress = core::mem::replace(&mut self.progress, WriteProgress::Unknown);
        let WriteProgress::NotBegun(serializer) = progress else {
            return;
        };
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 256")]
        let index = state as u32;
        let (name, fields) = (self.names.states[state], self.names.values[state]);
        let count = (0..fields.len()).filter(|field| values.is_stored(*field));
        let begun = serializer.serialize_struct_variant(self.machine, index, name, count.count());
        self.progress = match begun {
            Ok(begun) => WriteProgress::Fields(begun),
            Err(error) => WriteProgress::Failed(error),
        };
        values.write(fields, self);
    }
}

impl<S: Serializer> ValueWriter for WriteMode<S> {
    fn write_value<T, F: StorageForm<T>>(&mut self, name: &'static str, value: &T) {
        if let WriteProgress::Fields(fields) = &mut self.progress {
            let value = FormValue::<T, F>(value, PhantomData);
            if let Err(error) = fields.serialize_field(name, &value) {
                self.progress = WriteProgress::Failed(error);
            }
        }
    }
}

impl<S: Serializer> Mode for WriteMode<S> {
    const IS_QUERY: bool = true;
    const DROPS: bool = false;
    const INSPECTS: bool = false;
}

/// Writes a machine.
///
/// # Errors
///
/// Returns the errors of the serializer. A machine that has returned or panicked stores nothing,
/// which is an error too. A machine in a step has no snapshot but the one before the step.
pub fn serialize<M: Snapshot, S: Serializer>(
    machine: &M,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut mode = WriteMode {
        machine: M::NAME,
        names: const { &M::NAMES },
        progress: WriteProgress::NotBegun(serializer),
    };
    // SAFETY: the machine is borrowed, and only read.
    unsafe { M::visit_values(base(machine), &mut mode) };
    match mode.progress {
        WriteProgress::Fields(fields) => fields.end(),
        WriteProgress::Failed(error) => Err(error),
        WriteProgress::NotBegun(_) if is_in_step(machine) => {
            note_step();
            Err(S::Error::custom(format_args!(
                "`{}` is in a step, at `{}`",
                M::NAME,
                machine.state().name
            )))
        }
        WriteProgress::NotBegun(_) | WriteProgress::Unknown => Err(S::Error::custom(format_args!(
            "`{}` has ended, and stores nothing",
            M::NAME
        ))),
    }
}

/// Returns `true` if the machine awaits a future of a step.
fn is_in_step<M: Snapshot>(machine: &M) -> bool {
    // SAFETY: the machine is borrowed, and the tag only read.
    let tag = unsafe { Tag::<M>::of(base(machine)) }.get();
    tag < done::<M>() && !M::NAMES.tags.contains(&tag)
}
