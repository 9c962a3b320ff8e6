//! Inspection of a slot, by autoref specialization on its type.
//!
//! `slot.__volt_debug_local("page", AWAITS)` calls the method of [`Slot`] if the slot's type is
//! `Debug`. Otherwise it calls the method of [`AnySlot`], to which a slot dereferences, and that
//! shows the name of the type. In the same way `slot.__volt_trace_future()` distinguishes machines
//! from other futures, and `slot.__volt_local_future()` distinguishes both from all other types.
//! Each slot has one call, whatever the number of awaits at which it is filled, and its value is
//! read only where it is filled.

use core::any::type_name;
use core::fmt::Debug;

use super::super::modes::{DebugLocal, StaticText, TraceAny, TraceMachine, TracedFuture};
use super::super::probe::{LifetimeFree, StateSet};
use super::any_slot::{AnySlot, PlainSlot, UnknownSlot};
use super::slot::Slot;
use crate::machine::expansion::dormant_check::HeldUnpolled;
use crate::machine::runs_unpolled::RunsUnpolled;
use crate::machine::walk::Walk;
use volt_inspect::machine::StateMachine;

impl<T: Debug> Slot<T> {
    /// Returns a local that is shown by its own `Debug`.
    pub fn __volt_debug_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        DebugLocal::typed(name, awaits, self, type_name::<T>)
    }
}

impl<T> AnySlot<T> {
    /// Returns a local that is shown by the name of its type.
    pub fn __volt_debug_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        DebugLocal::typed(
            name,
            awaits,
            const { &StaticText(type_name::<T>) },
            type_name::<T>,
        )
    }
}

impl<T> AnySlot<T> {
    /// Returns a local that is stored for its destructor, such as the guard of a lock. Its type is
    /// shown, and its value is not read.
    pub const fn __volt_held_local(&self, name: &'static str, awaits: StateSet) -> DebugLocal<'_> {
        let is_stored = core::mem::needs_drop::<T>();
        DebugLocal::held(name, if is_stored { awaits } else { 0 }, type_name::<T>)
    }
}

impl<F: StateMachine> Slot<F> {
    /// Returns a future that is known to be a machine, in which the trace continues.
    pub fn __volt_trace_future(&self) -> TracedFuture<'_> {
        TracedFuture::Machine(self)
    }
}

impl<F: StateMachine> TraceMachine for Slot<F> {
    fn walk(&self, walk: &mut Walk<'_, '_>) {
        // SAFETY: I1, I4. The caller of `advance` has exclusive access to the machine in a tree.
        unsafe { walk.machine(self.place().cast_const()) };
    }
}

// The bounds `Unpin` are required because an inspection pins the local, which the function may move
// later. A future that can be polled through a borrow of the local has a type that is `Unpin`.

impl<F: StateMachine + Unpin> Slot<F> {
    /// Returns a local that is a machine, or a pointer to one.
    pub fn __volt_local_future(&self) -> TracedFuture<'_> {
        TracedFuture::Machine(self)
    }
}

impl<F: Future + Unpin> AnySlot<F> {
    /// Returns a local that is any other future.
    pub fn __volt_local_future(&self) -> TracedFuture<'_> {
        TracedFuture::Any(self)
    }
}

impl<T: Unpin> PlainSlot<T> {
    /// Returns a local that is no future. It is part of a tree if its type is registered, as that
    /// of a group of futures is.
    pub fn __volt_local_future(&self) -> TracedFuture<'_> {
        TracedFuture::Any(self)
    }
}

impl<T: RunsUnpolled> Slot<T> {
    /// Accepts a future that makes progress without polls.
    pub const fn __volt_deny_dormant<const LINE: u32>(&self) {}
}

impl<F: Future> AnySlot<F> {
    /// Fails to compile, because the future is held across an await that does not poll it.
    pub const fn __volt_deny_dormant<const LINE: u32>(&self)
    where
        F: HeldUnpolled<LINE>,
    {
    }
}

impl<T> PlainSlot<T> {
    /// Accepts a local that is no future.
    pub const fn __volt_deny_dormant<const LINE: u32>(&self) {}
}

impl<T: LifetimeFree> Slot<T> {
    /// Returns `false`: a value without lifetimes borrows nothing.
    pub fn __volt_may_borrow(&self) -> bool {
        false
    }
}

impl<T> AnySlot<T> {
    /// Returns `true`: the value may borrow from other locals.
    pub fn __volt_may_borrow(&self) -> bool {
        true
    }
}

impl UnknownSlot {
    /// Returns that the local is not part of a tree.
    pub fn __volt_local_future(&self) -> TracedFuture<'_> {
        TracedFuture::Unknown
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
    fn walk_if_registered(&self, walk: &mut Walk<'_, '_>) {
        // SAFETY: as above.
        unsafe { walk.future(self.place().cast_const()) };
    }
}

impl<T: Unpin> TraceAny for PlainSlot<T> {
    fn walk_if_registered(&self, walk: &mut Walk<'_, '_>) {
        // SAFETY: as above. The type is `Unpin`.
        unsafe { walk.registered(self.place().cast_const()) };
    }
}
