//! Calls of `advance` that drop or inspect the stored values, and the state at the tag.

use core::fmt;
use core::pin::Pin;
use core::ptr;

use super::super::modes::{DropMode, InspectMode, Region};
use super::advance::ExplicitMachine;
use super::fallback::{WAITING, advance, is_native, waiting};
use super::tag::{Tag, done};
use crate::machine::expansion::native::Table;
use crate::machine::walk::Walk;
use volt_inspect::Inspector;
use volt_inspect::machine::{State, StateMachine};

/// Returns the first byte of a machine that is only read.
#[inline]
pub(crate) fn base<S: ExplicitMachine>(machine: &S) -> *mut u8 {
    ptr::from_ref(machine).cast_mut().cast()
}

/// Returns the first byte of a machine.
#[inline]
pub(crate) fn base_mut<S: ExplicitMachine>(machine: &mut S) -> *mut u8 {
    ptr::from_mut(machine).cast()
}

/// Drops the stored values of a machine, in the order of a cancellation.
///
/// # Safety
///
/// It is the last use of the machine.
#[inline]
pub unsafe fn cancel<S: ExplicitMachine>(machine: &mut S) {
    // SAFETY: the machine is borrowed.
    let _ = unsafe { advance::<S, _>(base_mut(machine), 0, &mut DropMode, &Region::new()) };
}

/// Returns the current state of a machine.
#[must_use]
pub(crate) fn state<S: ExplicitMachine>(machine: &S) -> &'static State {
    // SAFETY: the machine is borrowed, and the tag only read.
    let number = unsafe { Tag::<S>::of(base(machine)) }.get();
    if is_native::<S::Static>() && number == WAITING {
        return waiting::<S>();
    }
    S::STATES
        .get(usize::from(number))
        .unwrap_or(&<S as Table>::TABLES.own[1])
}

/// Returns `true` if a machine has returned.
#[must_use]
pub fn is_terminated<S: ExplicitMachine>(machine: &S) -> bool {
    // SAFETY: the machine is borrowed, and the tag only read.
    unsafe { Tag::<S>::of(base(machine)) }.get() == done::<S>()
}

/// Visits the state of a machine, then the states of the future that it awaits.
pub(crate) fn trace<S: ExplicitMachine>(machine: &S, visit: &mut dyn FnMut(&'static State)) {
    // SAFETY: the machine is borrowed, and only read.
    unsafe { walk::<S>(base(machine), machine.state(), &mut Walk::States(visit)) };
}

/// Reports a machine as one node, with its values and the future that it awaits.
pub(crate) fn inspect<S: ExplicitMachine>(machine: Pin<&mut S>, inspector: &mut Inspector<'_>) {
    let state = machine.state();
    // SAFETY: nothing is moved out.
    let base = base_mut(unsafe { Pin::get_unchecked_mut(machine) });
    // SAFETY: the machine is borrowed and pinned.
    unsafe { walk::<S>(base, state, &mut Walk::Tree(inspector)) };
}

/// Walks a machine in a state.
///
/// # Safety
///
/// There is a live machine at `base`, which is only read. In a tree, the caller has exclusive
/// access to it, it is pinned, and the pointer may write.
unsafe fn walk<S: ExplicitMachine>(base: *mut u8, state: &'static State, walk: &mut Walk<'_, '_>) {
    walk.enter(state, <S as StateMachine>::TABLES, |walk| {
        let mode = &mut InspectMode::Walk(walk);
        // SAFETY: promised by the caller.
        let _ = unsafe { advance::<S, _>(base, 0, mode, &Region::new()) };
    });
}

/// Writes the `Debug` output of a machine: its state, and the values that it stores.
///
/// # Errors
///
/// Returns the error of the formatter.
pub fn debug<S: ExplicitMachine>(machine: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let state = machine.state();
    let mut shown = f.debug_struct(S::NAME);
    shown.field("state", &state.name).field("line", &state.line);
    // SAFETY: the machine is borrowed, and only read.
    let _ = unsafe {
        advance::<S, _>(
            base(machine),
            0,
            &mut InspectMode::Locals(&mut shown),
            &Region::new(),
        )
    };
    shown.finish()
}
