//! What all storages of a coroutine have in common, for the code that asks them.

use super::notes::Stage;
use super::table::Table;
use crate::machine::announce::{Announced, tell};
use crate::machine::layout::{Layout, Storage as Room};
use crate::machine::state::State;

/// The storage of a coroutine.
pub trait Storage {
    /// Where the machine stands.
    fn stage(&self) -> Stage;

    /// Goes on with a trace in what is awaited.
    fn trace(&self, visit: &mut dyn FnMut(&'static State));
}

/// Whether the machine has returned.
#[must_use]
pub fn is_terminated(storage: &impl Storage) -> bool {
    matches!(storage.stage(), Stage::Done)
}

/// The state in which a machine stands.
#[must_use]
pub fn state<T: Table>(storage: &impl Storage) -> &'static State {
    match storage.stage() {
        Stage::Start => &T::TABLES.states[0],
        Stage::Running => &T::TABLES.own[0],
        Stage::Waiting(state) => state,
        Stage::Done => &T::TABLES.states[T::TABLES.states.len() - 1],
        Stage::Poisoned => &T::TABLES.own[1],
    }
}

/// Visits the state of a machine, and goes on in what it awaits.
pub fn trace<T: Table>(storage: &impl Storage, visit: &mut dyn FnMut(&'static State)) {
    visit(state::<T>(storage));
    storage.trace(visit);
}

/// The layout of a native machine.
#[must_use]
pub const fn layout(why: &'static str, line: u32, storage: Room) -> Layout {
    Layout::Native { why, line, storage }
}

/// Tells the runtime, if there is one, of a machine that is polled for the first time.
#[inline]
pub fn announce_first<M: Announced>() {
    tell::<M>();
}
