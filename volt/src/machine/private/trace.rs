//! A pinned pointer to a machine as a machine, and what every machine shows.

use core::fmt;
use core::ops::Deref;
use core::pin::Pin;

use crate::machine::layout::Layout;
use crate::machine::state::{State, Transition};
use crate::machine::state_machine::StateMachine;

impl<P> StateMachine for Pin<P>
where
    P: Deref,
    P::Target: StateMachine,
{
    const NAME: &'static str = <P::Target as StateMachine>::NAME;
    const STATES: &'static [State] = <P::Target as StateMachine>::STATES;
    const TRANSITIONS: &'static [Transition] = <P::Target as StateMachine>::TRANSITIONS;
    const NATIVE_SIZE: Option<usize> = <P::Target as StateMachine>::NATIVE_SIZE;
    const LAYOUT: Layout = <P::Target as StateMachine>::LAYOUT;

    fn state(&self) -> &'static State {
        (**self).state()
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        (**self).trace(visit);
    }
}

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
