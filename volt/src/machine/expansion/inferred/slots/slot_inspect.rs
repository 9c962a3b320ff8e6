//! What a machine shows of itself, asked of the types without a bound.
//!
//! `slot.shown("page", AWAITS)` finds the method of [`Slot`] if the slot's type is `Debug`, and that of [`AnySlot`], to which
//! it leads, if not: then the name of its type is shown. In the same way `slot.traced()` tells machines from other futures. Each slot is asked once, whatever the number of awaits at which it is filled, and
//! looked at only where it is.

use core::any::type_name;
use core::fmt::Debug;

use super::super::modes::{DebugLocal, StaticText, TraceAny, TraceMachine, TracedFuture, Visit};
use super::super::probe::StateSet;
use super::slot::{AnySlot, Slot};
use crate::machine::register::trace_borrowed;
use crate::machine::state_machine::StateMachine;

impl<T: Debug> Slot<T> {
    /// A local that is shown by itself.
    pub fn __volt_debug_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        DebugLocal::new(name, awaits, self)
    }
}

impl<T> AnySlot<T> {
    /// A local that is shown by the name of its type.
    pub fn __volt_debug_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        DebugLocal::new(name, awaits, const { &StaticText(type_name::<T>) })
    }
}

impl<F: StateMachine> Slot<F> {
    /// A future known to be a machine: the trace goes on in it.
    pub fn __volt_trace_future(&self) -> TracedFuture<'_> {
        TracedFuture::Machine(self)
    }
}

impl<F: StateMachine> TraceMachine for Slot<F> {
    fn visit(&self, visit: &mut Visit<'_>) {
        self.peek().trace(visit);
    }
}

impl<F> AnySlot<F> {
    /// Any other future: the trace ends there, unless the runtime knows it for a machine.
    pub fn __volt_trace_future(&self) -> TracedFuture<'_> {
        TracedFuture::Any(self)
    }
}

impl<F> TraceAny for AnySlot<F> {
    fn visit_if_registered(&self, visit: &mut Visit<'_>) {
        trace_borrowed(self.peek(), visit);
    }
}
