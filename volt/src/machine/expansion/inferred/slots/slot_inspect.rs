//! Inspection of a slot, by autoref specialization on its type.
//!
//! `slot.__volt_debug_local("page", AWAITS)` calls the method of [`Slot`] if the slot's type is
//! `Debug`. Otherwise it calls the method of [`AnySlot`], to which a slot dereferences, and that
//! shows the name of the type. In the same way `slot.__volt_trace_future()` distinguishes machines
//! from other futures. Each slot has one call, whatever the number of awaits at which it is filled,
//! and its value is read only where it is filled.

use core::any::type_name;
use core::fmt::Debug;

use super::super::modes::{DebugLocal, StaticText, TraceAny, TraceMachine, TracedFuture, Visit};
use super::super::probe::StateSet;
use super::slot::{AnySlot, Slot};
use volt_inspect::machine::StateMachine;
use volt_inspect::machine::trace_borrowed;

impl<T: Debug> Slot<T> {
    /// Returns a local that is shown by its own `Debug`.
    pub fn __volt_debug_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        DebugLocal::new(name, awaits, self)
    }
}

impl<T> AnySlot<T> {
    /// Returns a local that is shown by the name of its type.
    pub fn __volt_debug_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        DebugLocal::new(name, awaits, const { &StaticText(type_name::<T>) })
    }
}

impl<F: StateMachine> Slot<F> {
    /// Returns a future that is known to be a machine, in which the trace continues.
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
    /// Returns any other future. The trace ends there, unless the future's type is registered as a
    /// machine.
    pub fn __volt_trace_future(&self) -> TracedFuture<'_> {
        TracedFuture::Any(self)
    }
}

impl<F> TraceAny for AnySlot<F> {
    fn visit_if_registered(&self, visit: &mut Visit<'_>) {
        trace_borrowed(self.peek(), visit);
    }
}
