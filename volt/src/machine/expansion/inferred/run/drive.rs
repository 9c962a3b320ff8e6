//! Calls of `advance` that drop or inspect the stored values, and the state at the tag.

use core::fmt;
use core::pin::Pin;
use core::ptr;

use super::super::modes::{DropMode, InspectMode, Region};
use super::super::probe::LayoutInfo;
use super::advance::ExplicitMachine;
use super::fallback::{advance, is_native, waiting};
use super::tag::{Tag, WAITING, done, state_of_coroutine};
use crate::machine::walk::Walk;
use volt_inspect::machine::{State, StateMachine, Tables};
use volt_inspect::{Inspector, MachineAccess};

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
    unsafe { const { &ExplicitAccess::of::<S>() }.state(base(machine)) }
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
    unsafe { const { &ExplicitAccess::of::<S>() }.trace(base(machine).cast(), visit) };
}

/// Reports a machine as one node, with its values and the future that it awaits.
pub(crate) fn inspect<S: ExplicitMachine>(machine: Pin<&mut S>, inspector: &mut Inspector<'_>) {
    // SAFETY: nothing is moved out.
    let base = base_mut(unsafe { Pin::get_unchecked_mut(machine) });
    // SAFETY: the machine is borrowed and pinned.
    unsafe { const { &ExplicitAccess::of::<S>() }.inspect(base.cast(), inspector) };
}

/// Writes the `Debug` output of a machine: its state, and the values that it stores.
///
/// # Errors
///
/// Returns the error of the formatter.
pub fn debug<S: ExplicitMachine>(machine: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // SAFETY: the machine is borrowed, and only read.
    unsafe { const { &ExplicitAccess::of::<S>() }.debug(base(machine), f) }
}

/// The parts of a type of machines by which its machines are inspected. The code is the same for
/// all types, except for that of `advance`.
pub(super) struct ExplicitAccess {
    tables: &'static Tables,
    /// The offset of the tag.
    tag: usize,
    /// The number of the state of a machine that has returned, if the tag is that of the stored
    /// coroutine.
    shared: Option<u8>,
    /// The state of a machine that waits in the compiler's coroutine, if it stores that.
    waiting: Option<&'static State>,
    advance: unsafe fn(*mut u8, &mut InspectMode<'_, '_, '_>),
}

impl ExplicitAccess {
    pub(super) const fn of<S: ExplicitMachine>() -> Self {
        Self {
            tables: <S as StateMachine>::TABLES,
            tag: <S::Static as LayoutInfo>::RECURSIVE_MACHINE_NEEDS_BOX_PIN.tag,
            shared: if Tag::<S>::IS_SHARED {
                Some(done::<S>())
            } else {
                None
            },
            waiting: if is_native::<S::Static>() {
                Some(waiting(<S as StateMachine>::TABLES))
            } else {
                None
            },
            advance: inspect_by_advance::<S>,
        }
    }

    /// Returns the state of the machine at an address.
    ///
    /// # Safety
    ///
    /// It is a live machine of the type.
    #[inline(never)]
    unsafe fn state(&self, base: *mut u8) -> &'static State {
        // SAFETY: the tag is within the machine.
        let tag = unsafe { base.add(self.tag) };
        // SAFETY: promised by the caller; the byte is written when the machine is created.
        let mut number = unsafe { tag.read() };
        if let Some(done) = self.shared {
            number = state_of_coroutine(number, done);
        }
        match self.waiting {
            Some(waiting) if number == WAITING => waiting,
            _ => self
                .tables
                .states
                .get(usize::from(number))
                .unwrap_or(&self.tables.own[1]),
        }
    }

    /// Walks the machine at an address.
    ///
    /// # Safety
    ///
    /// The requirements of [`MachineAccess::trace`] or of [`MachineAccess::inspect`] hold, by the
    /// kind of the walk.
    unsafe fn walk(&self, base: *mut u8, walk: &mut Walk<'_, '_>) {
        // SAFETY: promised by the caller.
        let state = unsafe { self.state(base) };
        walk.enter(state, self.tables, |walk| {
            // SAFETY: promised by the caller.
            unsafe { (self.advance)(base, &mut InspectMode::Walk(walk)) };
        });
    }

    /// Writes the `Debug` output of the machine at an address.
    ///
    /// # Safety
    ///
    /// It is a live machine of the type, which is only read.
    #[inline(never)]
    unsafe fn debug(&self, base: *mut u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: promised by the caller.
        let state = unsafe { self.state(base) };
        let mut shown = f.debug_struct(self.tables.name);
        shown.field("state", &state.name).field("line", &state.line);
        // SAFETY: promised by the caller.
        unsafe { (self.advance)(base, &mut InspectMode::Locals(&mut shown)) };
        shown.finish()
    }
}

impl MachineAccess for ExplicitAccess {
    #[cold]
    #[inline(never)]
    unsafe fn trace(&self, machine: *const (), visit: &mut dyn FnMut(&'static State)) {
        // SAFETY: promised by the caller.
        unsafe { self.walk(machine.cast_mut().cast(), &mut Walk::States(visit)) };
    }

    #[cold]
    #[inline(never)]
    unsafe fn inspect(&self, machine: *mut (), inspector: &mut Inspector<'_>) {
        // SAFETY: promised by the caller.
        unsafe { self.walk(machine.cast(), &mut Walk::Tree(inspector)) };
    }
}

/// Inspects the values of a machine, and the future that it awaits.
///
/// # Safety
///
/// There is a live machine at `base`, which is only read. In a tree, the caller has exclusive
/// access to it, it is pinned, and the pointer may write.
#[cold]
unsafe fn inspect_by_advance<S: ExplicitMachine>(
    base: *mut u8,
    mode: &mut InspectMode<'_, '_, '_>,
) {
    // SAFETY: promised by the caller.
    let _ = unsafe { advance::<S, _>(base, 0, mode, &Region::new()) };
}
