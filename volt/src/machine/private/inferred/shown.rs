//! What a machine shows of itself, asked of the types without a bound.
//!
//! `(&slot).shown("page", AWAITS)` finds the method of [`WithDebug`] if the slot's type is `Debug`, and one
//! reference away that of [`WithName`] if not: then the name of its type is shown. In the same way `(&slot).traced()`
//! tells machines from other futures. Each slot is asked once, whatever the number of awaits at which it is filled, and
//! looked at only where it is.

use core::any::type_name;
use core::fmt::Debug;

use super::looked_at::{Any, Machine, Shown, Text, Traced, Visit};
use super::place::States;
use super::slot::Slot;
use crate::machine::announce::trace_borrowed;
use crate::machine::state_machine::StateMachine;

/// What a local that is `Debug` is shown by.
pub trait WithDebug {
    /// Itself.
    fn shown(&self, name: &'static str, awaits: States) -> Shown<'_>;
}

impl<T: Debug> WithDebug for Slot<T> {
    fn shown(&self, name: &'static str, awaits: States) -> Shown<'_> {
        Shown::new(name, awaits, self)
    }
}

/// What any other local is shown by.
pub trait WithName {
    /// The name of its type.
    fn shown(&self, name: &'static str, awaits: States) -> Shown<'_>;
}

impl<T> WithName for &Slot<T> {
    fn shown(&self, name: &'static str, awaits: States) -> Shown<'_> {
        Shown::new(name, awaits, const { &Text(type_name::<T>) })
    }
}

/// A future known to be a machine: the trace goes on in it.
pub trait TraceMachine {
    /// How its states are visited.
    fn traced(&self) -> Traced<'_>;
}

impl<F: StateMachine> TraceMachine for Slot<F> {
    fn traced(&self) -> Traced<'_> {
        Traced::Machine(self)
    }
}

impl<F: StateMachine> Machine for Slot<F> {
    fn visit(&self, visit: &mut Visit<'_>) {
        self.look().trace(visit);
    }
}

/// Any other future: the trace ends there, unless the runtime knows it for a machine.
pub trait TraceFuture {
    /// How its states are visited, if it is a machine.
    fn traced(&self) -> Traced<'_>;
}

impl<F> TraceFuture for &Slot<F> {
    fn traced(&self) -> Traced<'_> {
        Traced::Any(*self)
    }
}

impl<F> Any for Slot<F> {
    fn visit_if_known(&self, visit: &mut Visit<'_>) {
        trace_borrowed(self.look(), visit);
    }
}
