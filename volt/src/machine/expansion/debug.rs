//! `Debug` of machines.

use core::fmt;

use volt_inspect::machine::StateMachine;

/// Writes the `Debug` output of a machine: its name, its state and the line of that state.
///
/// # Errors
///
/// Returns the error of the formatter.
pub fn debug<M: StateMachine>(machine: &M, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let state = machine.state();
    f.debug_struct(M::NAME)
        .field("state", &state.name)
        .field("line", &state.line)
        .finish()
}
