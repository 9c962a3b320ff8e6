//! The mode that writes a machine.

use core::marker::PhantomData;

use serde::ser::{Error as _, SerializeStructVariant};
use serde::{Serialize, Serializer};

use super::super::modes::{Mode, Region, SnapshotMode, StorageForm, StoredValues, ValueWriter};
use super::super::run::{ExplicitMachine, Tag, base, done};
use crate::machine::steps::note_step;

/// A machine that can be written and read.
///
/// # Safety
///
/// `visit_values` reads the slots of the state at the tag only in a mode that writes, and fills
/// them only in a mode that reads.
pub unsafe trait Snapshot: ExplicitMachine {
    /// The names of the states that store values: the start, then each await.
    const NAMES: &'static [&'static str];
    /// The number of each of these states in the tag. All other awaits are in steps.
    const TAGS: &'static [u8];
    /// The names of the values of each state.
    const FIELDS: &'static [&'static [&'static str]];

    /// The names of the states, then those that they had in older builds.
    const ALL_NAMES: &'static [&'static str] = Self::NAMES;
    /// The index of the state of each older name.
    const OLDER_STATES: &'static [usize] = &[];
    /// The names of the values of each state, then those that they had in older builds.
    const ALL_FIELDS: &'static [&'static [&'static str]] = Self::FIELDS;
    /// The index of the value of each older name, for each state. It is empty if no name is older.
    const OLDER_FIELDS: &'static [&'static [usize]] = &[];

    /// Writes or reads the values of the state at the tag.
    ///
    /// # Safety
    ///
    /// `base` is the first byte of a live machine. If the mode writes, the machine is only read. If
    /// it reads, there is no other reference to the machine, and no slot has a value.
    unsafe fn visit_values<M: Mode>(base: *mut u8, mode: &mut M);
}

/// Visits the values by `advance`, for a machine whose fields have inferred types.
///
/// # Safety
///
/// The requirements of [`Snapshot::visit_values`] hold.
pub unsafe fn visit_by_advance<S: ExplicitMachine, M: Mode>(base: *mut u8, mode: &mut M) {
    // SAFETY: promised by the caller.
    let _ = unsafe { S::advance(base, 0, mode, &Region::new()) };
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
    states: &'static [&'static str],
    fields: &'static [&'static [&'static str]],
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
        let (name, fields) = (self.states[state], self.fields[state]);
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
        states: M::NAMES,
        fields: M::FIELDS,
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
    tag < done::<M>() && !M::TAGS.contains(&tag)
}
