//! What all storages of a coroutine have in common, for the code that asks them.

use core::future::Future;

use super::super::position::{MachineStage, PackedPtr, ParentLink, Progress, Table};
use crate::machine::layout::{Layout, Storage as StorageKind};
use crate::machine::register::{Register, register};
use crate::machine::state::State;
use crate::machine::state_machine::StateMachine;
use crate::machine::tables::Tables;

/// The storage of a coroutine.
pub trait CoroutineStorage {
    /// Where the machine stands.
    fn stage(&self) -> MachineStage;

    /// Goes on with a trace in what is awaited.
    fn trace(&self, visit: &mut dyn FnMut(&'static State));
}

/// A storage that is awaited without its machine.
pub trait NestedStorage: CoroutineStorage + Future {
    /// What it notes of where it stands.
    type PositionStore: ParentLink;

    /// Notes which machine awaits it. The first poll tells that where this lies.
    #[must_use]
    fn with_parent(self, progress: PackedPtr<Progress>) -> Self;
}

/// Whether the machine has returned: it stands in the last of its states.
#[must_use]
pub fn is_terminated<M: StateMachine>(machine: &M) -> bool {
    machine.state().index + 1 == M::TABLES.states.len()
}

/// The state in which a machine stands.
#[must_use]
pub fn state<T: Table>(storage: &impl CoroutineStorage) -> &'static State {
    state_of(storage, T::TABLES)
}

fn state_of(storage: &impl CoroutineStorage, tables: &'static Tables) -> &'static State {
    state_at(storage.stage(), tables)
}

/// The state of a machine at a stage.
pub(crate) fn state_at(stage: MachineStage, tables: &'static Tables) -> &'static State {
    match stage {
        MachineStage::Start => &tables.states[0],
        MachineStage::Running => &tables.own[0],
        MachineStage::Waiting(state) => state,
        MachineStage::Done => &tables.states[tables.states.len() - 1],
        MachineStage::Poisoned => &tables.own[1],
    }
}

/// Visits the state of a machine, and goes on in what it awaits.
pub fn trace<T: Table>(storage: &impl CoroutineStorage, visit: &mut dyn FnMut(&'static State)) {
    trace_of(storage, T::TABLES, visit);
}

/// The same of a storage alone, with the tables of its machine.
pub(crate) fn trace_of(
    storage: &impl CoroutineStorage,
    tables: &'static Tables,
    visit: &mut dyn FnMut(&'static State),
) {
    visit(state_of(storage, tables));
    storage.trace(visit);
}

/// The layout of a native machine.
#[must_use]
pub const fn layout(why: &'static str, line: u32, storage: StorageKind) -> Layout {
    Layout::Native { why, line, storage }
}

/// Tells the runtime, if there is one, of a machine that is polled for the first time.
#[inline]
pub fn register_on_first_poll<M: Register>() {
    register::<M>();
}
