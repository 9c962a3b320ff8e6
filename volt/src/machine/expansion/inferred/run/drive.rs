//! A machine's `advance`, called to drop what is stored or to look at it; and what its tag tells.

use core::fmt;
use core::ptr;

use super::super::modes::{DropMode, InspectMode, Region, Visit};
use super::advance::ExplicitMachine;
use super::fallback::{WAITING, advance, is_native, waiting};
use super::tag::{Tag, done};
use crate::machine::expansion::native::Table;
use crate::machine::state::State;

/// The first byte of a machine that is only looked at.
#[inline]
pub(crate) fn base<S: ExplicitMachine>(machine: &S) -> *mut u8 {
    ptr::from_ref(machine).cast_mut().cast()
}

/// The first byte of a machine.
#[inline]
pub(crate) fn base_mut<S: ExplicitMachine>(machine: &mut S) -> *mut u8 {
    ptr::from_mut(machine).cast()
}

/// Drops what a machine stores, in the order of a cancellation.
///
/// # Safety
///
/// It is the last call.
#[inline]
pub unsafe fn cancel<S: ExplicitMachine>(machine: &mut S) {
    // SAFETY: the machine is borrowed.
    let _ = unsafe { advance::<S, _>(base_mut(machine), 0, &mut DropMode, &Region::new()) };
}

/// The state in which a machine stands.
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

/// Whether a machine has returned.
#[must_use]
pub fn is_terminated<S: ExplicitMachine>(machine: &S) -> bool {
    // SAFETY: the machine is borrowed, and the tag only read.
    unsafe { Tag::<S>::of(base(machine)) }.get() == done::<S>()
}

/// Goes on with a trace in what a machine awaits.
pub(crate) fn trace<S: ExplicitMachine>(machine: &S, visit: &mut Visit<'_>) {
    visit(machine.state());
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe {
        advance::<S, _>(
            base(machine),
            0,
            &mut InspectMode::Trace(visit),
            &Region::new(),
        )
    };
}

/// `Debug` of a machine: where it stands, and what it stores there.
///
/// # Errors
///
/// Those of the formatter.
pub fn debug<S: ExplicitMachine>(machine: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let state = machine.state();
    let mut shown = f.debug_struct(S::NAME);
    shown.field("state", &state.name).field("line", &state.line);
    // SAFETY: the machine is borrowed, and only looked at.
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
