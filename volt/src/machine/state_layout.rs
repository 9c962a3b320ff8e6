//! `StateLayout`: the offsets of the fields of a state, for debuggers.

use core::mem::{offset_of, size_of};

use volt_inspect::machine::{State, Tables};

/// The offsets of the fields that a debugger reads in a [`State`] and in [`Tables`].
#[repr(C)]
pub(crate) struct StateLayout {
    /// The size of a state.
    size: usize,
    machine: usize,
    name: usize,
    file: usize,
    line: usize,
    column: usize,
    /// The offset of the list of states in the tables.
    states: usize,
}

impl StateLayout {
    pub(crate) const NEW: Self = Self {
        size: size_of::<State>(),
        machine: offset_of!(State, machine),
        name: offset_of!(State, name),
        file: offset_of!(State, file),
        line: offset_of!(State, line),
        column: offset_of!(State, column),
        states: offset_of!(Tables, states),
    };
}
