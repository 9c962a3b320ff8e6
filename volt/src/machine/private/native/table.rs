//! What a machine tells of itself, apart from its type parameters.

use crate::machine::layout::Layout;
use crate::machine::state::{State, Transition};

/// The tables of a machine, on a type of no size that has no parameters.
pub trait Table {
    /// The name of the machine's type.
    const NAME: &'static str;
    /// Every state.
    const STATES: &'static [State];
    /// The states that a machine is in without being at one of those: it runs, or it has panicked.
    const OWN: &'static [State; 2];
    /// Every step.
    const TRANSITIONS: &'static [Transition];
    /// How the machine is kept.
    const LAYOUT: Layout;
}
