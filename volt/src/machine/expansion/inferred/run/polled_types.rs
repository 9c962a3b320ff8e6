//! Inspection of an awaited future whose type contains a closure of `advance`.

use core::any::TypeId;
use core::cell::Cell;
use core::task::{Context, Waker};

use super::super::modes::{
    NotRun, PollMode, PolledTypes, REPORT_TYPE, Region, ReportTypes, TracePolled, TracedFuture,
};
use super::super::slots::{AnySlot, Slot};
use super::advance::ExplicitMachine;
use super::fallback::advance;
use super::tag::Tag;
use crate::machine::walk::Walk;
use volt_inspect::machine::{StateMachine, type_id_of};

/// Returns the type of the awaited future in one instance of `advance`.
fn reported<S: ExplicitMachine, const REGISTERS: bool>(tag: &Tag<S>) -> Option<TypeId> {
    let is_over = Cell::new(false);
    let cx = &mut Context::from_waker(Waker::noop());
    let mut mode = PollMode::<REGISTERS>::new(cx, &is_over);
    // SAFETY: the machine is live. No block has the number, so the call only reads the tag.
    let _ = unsafe { advance::<S, _>(tag.base(), REPORT_TYPE, &mut mode, &Region::new()) };
    match mode.not_run {
        Some(NotRun::Reported(ty)) => Some(ty),
        _ => None,
    }
}

impl<S: ExplicitMachine> ReportTypes for Tag<S> {
    fn polled_types(&self) -> PolledTypes {
        [reported::<S, true>(self), reported::<S, false>(self)]
    }
}

impl<F: StateMachine> Slot<F> {
    /// Returns a future that is known to be a machine, in which the trace continues.
    pub fn __volt_trace_polled<S: ExplicitMachine>(&self, _: &Tag<S>) -> TracedFuture<'_> {
        TracedFuture::Machine(self)
    }
}

impl<F> AnySlot<F> {
    /// Returns a future whose type may differ in the instance of `advance` that polls it.
    pub fn __volt_trace_polled<'a, S>(&'a self, tag: &'a Tag<S>) -> TracedFuture<'a>
    where
        S: ExplicitMachine,
    {
        TracedFuture::Polled(self, tag)
    }

    /// Returns the identity of the type in this instance of `advance`.
    #[must_use]
    pub fn __volt_type_id(&self) -> TypeId {
        type_id_of::<F>()
    }
}

impl<F> TracePolled for AnySlot<F> {
    fn walk_as_polled(&self, walk: &mut Walk<'_, '_>, types: PolledTypes) {
        // SAFETY: I1, I4. All instances of `advance` store the same value in the slot: the code of
        // a closure and the types of its captures do not depend on the mode.
        unsafe { walk.future_of_types(self.place().cast_const(), types) };
    }
}
