//! The mode that writes a machine.

use core::marker::PhantomData;

use serde::ser::{Error as _, SerializeStructVariant};
use serde::{Serialize, Serializer};

use super::super::modes::{
    ConditionalValue, Mode, Region, SnapshotMode, StorageForm, StoredValues, ValueWriter,
};
use super::super::run::{ExplicitMachine, Tag, base, done};
use super::snapshot_names::SnapshotNames;
use super::state_values::StateValues;
use crate::machine::steps::note_step;

/// A machine that can be written and read.
///
/// # Safety
///
/// `visit_values` reads the slots of the state at the tag only in a mode that writes, and fills
/// them only in a mode that reads. A machine without values is initialized once its tag is: all
/// other bytes may have any contents.
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

    fn visit_values<V: StoredValues>(
        &mut self,
        tag: u8,
        values: V,
        conditions: &[ConditionalValue],
    ) {
        // A step and the end have no state in a snapshot.
        let Some(state) = self.names.tags.iter().position(|of| *of == tag) else {
            return;
        };
        let progress = core::mem::replace(&mut self.progress, WriteProgress::Unknown);
        let WriteProgress::NotBegun(serializer) = progress else {
            return;
        };
        #[expect(clippy::cast_possible_truncation, reason = "fewer than 256")]
        let number = state as u32;
        let (name, of_state) = (
            self.names.states[state],
            StateValues::new(self.names, state, conditions),
        );
        let count = of_state.stored(values).count();
        let begun = serializer.serialize_struct_variant(self.machine, number, name, count);
        self.progress = match begun {
            Ok(begun) => WriteProgress::Fields(begun),
            Err(error) => WriteProgress::Failed(error),
        };
        for value in of_state.stored(values) {
            values.write(of_state.index(value), of_state.names[value], self);
        }
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
