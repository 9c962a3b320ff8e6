//! The question whether an awaited future is a machine too, asked without a bound.
//!
//! `(&&Probe(&future)).trace_into(visit)` finds the method of [`TraceMachine`] if the future's
//! type is known to be a machine, and one more reference away that of [`TraceFuture`] if not. That
//! is so in generic code, where nothing is known of a type parameter. But a machine that was polled
//! has announced itself, so then the runtime is asked.

use core::fmt;
use core::ops::Deref;
use core::pin::Pin;

use crate::machine::announce::trace_borrowed;
use crate::machine::layout::Layout;
use crate::machine::state::{State, Transition};
use crate::machine::state_machine::StateMachine;

/// A future that may be a machine.
#[derive(Debug)]
pub struct Probe<'a, F: ?Sized>(pub &'a F);

/// A future known to be a machine: the trace goes on in it.
pub trait TraceMachine {
    /// Visits the states of the machine.
    fn trace_into(&self, visit: &mut dyn FnMut(&'static State));
}

impl<F: StateMachine + ?Sized> TraceMachine for Probe<'_, F> {
    fn trace_into(&self, visit: &mut dyn FnMut(&'static State)) {
        self.0.trace(visit);
    }
}

/// Any other future: the trace ends here, unless the runtime knows it for a machine.
pub trait TraceFuture {
    /// Visits the states of the machine, if it is one.
    fn trace_into(&self, visit: &mut dyn FnMut(&'static State));
}

impl<F> TraceFuture for &Probe<'_, F> {
    fn trace_into(&self, visit: &mut dyn FnMut(&'static State)) {
        trace_borrowed(self.0, visit);
    }
}

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
