//! What every machine shows.

use core::fmt;

use crate::machine::state_machine::StateMachine;

/// `Debug` of a machine: where it stands.
///
/// # Errors
///
/// Those of the formatter.
pub fn debug<M: StateMachine>(machine: &M, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let state = machine.state();
    f.debug_struct(M::NAME)
        .field("state", &state.name)
        .field("line", &state.line)
        .finish()
}
