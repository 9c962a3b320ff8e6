//! The interface that all storages of a coroutine have.

use core::future::Future;
use core::pin::Pin;

use super::super::position::{MachinePtr, MachineStage, ParentLink, Table};
use crate::machine::walk::Walk;
use volt_inspect::Inspector;
use volt_inspect::machine::State;
use volt_inspect::machine::StateMachine;
use volt_inspect::machine::Tables;
use volt_inspect::machine::{Layout, Storage as StorageKind};
use volt_inspect::machine::{Register, register};

/// The storage of a coroutine.
pub trait CoroutineStorage {
    /// Returns the stage of the machine.
    fn stage(&self) -> MachineStage;

    /// Continues a walk in the awaited future. In a walk as a tree, the caller has exclusive access
    /// to the machine.
    fn walk(&self, walk: &mut Walk<'_, '_>);
}

/// A storage that is awaited without its machine.
pub trait NestedStorage: CoroutineStorage + Future {
    /// The position that it records.
    type Store: ParentLink;

    /// Records the machine that awaits it. The first poll records the storage's address in that
    /// machine.
    #[must_use]
    fn with_parent(self, machine: MachinePtr) -> Self;
}

/// Returns `true` if the machine has returned: its state is the last one.
#[must_use]
pub fn is_terminated<M: StateMachine>(machine: &M) -> bool {
    machine.state().index + 1 == M::TABLES.states.len()
}

/// Returns the current state of a machine.
#[must_use]
pub fn state<T: Table>(storage: &impl CoroutineStorage) -> &'static State {
    state_of(storage, T::TABLES)
}

fn state_of(storage: &impl CoroutineStorage, tables: &'static Tables) -> &'static State {
    state_at(storage.stage(), tables)
}

/// Returns the state of a machine at a stage.
pub(crate) fn state_at(stage: MachineStage, tables: &'static Tables) -> &'static State {
    match stage {
        MachineStage::Start => &tables.states[0],
        MachineStage::Running => &tables.own[0],
        MachineStage::Waiting(state) => state,
        MachineStage::Done => &tables.states[tables.states.len() - 1],
        MachineStage::Poisoned => &tables.own[1],
    }
}

/// Visits the state of a machine, then the states of the future that it awaits.
pub fn trace<T: Table>(storage: &impl CoroutineStorage, visit: &mut dyn FnMut(&'static State)) {
    walk_storage(storage, T::TABLES, &mut Walk::States(visit));
}

/// Reports the machine of a storage as one node, with the future that it awaits.
pub fn inspect<T: Table>(storage: Pin<&mut impl CoroutineStorage>, inspector: &mut Inspector<'_>) {
    walk_storage(&*storage, T::TABLES, &mut Walk::Tree(inspector));
}

/// Walks the machine of a storage, with the tables of that machine.
pub(crate) fn walk_storage(
    storage: &impl CoroutineStorage,
    tables: &'static Tables,
    walk: &mut Walk<'_, '_>,
) {
    walk.enter(state_of(storage, tables), tables, |walk| storage.walk(walk));
}

/// Returns the layout of a native machine.
#[must_use]
pub const fn layout(why: &'static str, line: u32, storage: StorageKind) -> Layout {
    Layout::Native { why, line, storage }
}

/// Registers a machine that is polled for the first time, if there is a runtime.
///
/// Only the runtime of this crate reads registrations. Without the feature `rt` the call is empty,
/// because a linker cannot know that no code sets the hook. It would keep the functions that
/// inspect the machine.
#[inline]
pub fn register_on_first_poll<M: Register>() {
    if cfg!(feature = "rt") {
        register::<M>();
    }
}
