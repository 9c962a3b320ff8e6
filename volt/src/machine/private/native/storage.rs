//! What all storages of a coroutine have in common, for the code that asks them.

use super::progress::Stage;
use crate::machine::announce::announce;
use crate::machine::layout::{Layout, Storage as Room};
use crate::machine::state::State;
use crate::machine::state_machine::StateMachine;

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

/// The layout of a native machine.
#[must_use]
pub const fn layout(why: &'static str, line: u32, storage: Room) -> Layout {
    Layout::Native { why, line, storage }
}

/// Tells the runtime, if there is one, of a machine that is polled for the first time.
#[inline]
pub fn announce_first<M: StateMachine>() {
    announce::<M, ()>(());
}
