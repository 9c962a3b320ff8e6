//! One call of a machine's `advance`: a poll, its drop, a look at it.

use core::fmt;
use core::hint;
use core::mem;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::advance::Inferred;
use super::mode::{Dropping, Looking, Polling, Visit};
use super::parts::{Parts, Places};
use super::place::NOWHERE;
use super::region::Region;
use super::tag::{Tag, done, poisoned};
use crate::machine::private::ended::{resumed_after_completion, resumed_after_panicking};
use crate::machine::state::State;
use crate::machine::state_machine::StateMachine;

/// The first byte of a machine that is only looked at.
#[inline]
pub(super) fn base<S: Inferred>(machine: &S) -> *mut u8 {
    ptr::from_ref(machine).cast_mut().cast()
}

/// The first byte of a machine.
#[inline]
pub(super) fn base_mut<S: Inferred>(machine: &mut S) -> *mut u8 {
    ptr::from_mut(machine).cast()
}

/// Polls a machine. A panic of what it runs drops what it stores, in the order of its scopes, and
/// leaves it poisoned. The runtime, if there is one, is told of a machine that begins.
#[inline]
pub fn poll<S: Inferred>(machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    go_on::<S, true>(machine, cx).unwrap_or_else(|state| resumed::<S>(state))
}

/// Polls a machine of which nobody is told.
#[inline]
pub(super) fn poll_untold<S: Inferred>(
    machine: Pin<&mut S>,
    cx: &mut Context<'_>,
) -> Poll<<S as Inferred>::Output> {
    go_on::<S, false>(machine, cx).unwrap_or_else(|state| resumed::<S>(state))
}

/// Goes on with a machine, or says how it has ended: that is no panic of its own, so the guard is gone by then.
#[inline]
fn go_on<S: Inferred, const TELLS: bool>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
) -> Result<Poll<<S as Inferred>::Output>, u8> {
    let guard = Poison(tag(machine.as_mut()));
    let state = guard.0.get();
    // SAFETY: no other number is ever set. So code for others is not written.
    unsafe { hint::assert_unchecked(state <= const { poisoned::<S>() }) };
    let has_ended = false;
    let mut mode: Polling<'_, '_, TELLS> = Polling { cx, has_ended };
    // SAFETY: borrowed, and pinned.
    let polled = unsafe { S::advance(pinned(machine), state, &mut mode, &Region::new()) };
    mem::forget(guard);
    match mode.has_ended {
        true => Err(state),
        false => Ok(polled),
    }
}

/// The first byte of a machine that is pinned.
#[inline]
fn pinned<S: Inferred>(machine: Pin<&mut S>) -> *mut u8 {
    // SAFETY: nothing is moved out.
    base_mut(unsafe { Pin::get_unchecked_mut(machine) })
}

#[inline]
fn tag<S: Inferred>(machine: Pin<&mut S>) -> Tag<S> {
    // SAFETY: the machine is borrowed, and the tag used as long as that.
    unsafe { Tag::<S>::of(pinned(machine)) }
}

/// Notes a panic: what was stored is dropped by then.
struct Poison<S: Inferred>(Tag<S>);

impl<S: Inferred> Drop for Poison<S> {
    #[inline]
    fn drop(&mut self) {
        self.0.set(const { poisoned::<S>() });
    }
}

/// What a poll of a machine that has ended does.
#[cold]
fn resumed<S: StateMachine>(state: u8) -> ! {
    match state == done::<S>() {
        true => resumed_after_completion(),
        false => resumed_after_panicking(),
    }
}

/// Drops what a machine stores, in the order of a cancellation.
///
/// # Safety
///
/// It is the last call.
#[inline]
pub unsafe fn cancel<S: Inferred>(machine: &mut S) {
    // SAFETY: the machine is borrowed.
    let _ = unsafe { S::advance(base_mut(machine), 0, &mut Dropping, &Region::new()) };
}

/// The state in which a machine stands.
#[must_use]
pub fn state<S: Inferred>(machine: &S) -> &'static State {
    // SAFETY: the machine is borrowed, and the tag only read.
    let number = unsafe { Tag::<S>::of(base(machine)) }.get();
    S::STATES
        .get(usize::from(number))
        .unwrap_or(&S::TABLES.own[1])
}

/// Says at compile time that a machine is no larger than the compiler's own future.
///
/// Behind a call that never returns, such as `exit(1)`, the compiler stores nothing, and the machine, which
/// does not know that, all that is written. There a field alone is as large as the compiler's future.
pub const fn never_larger<S: Inferred + Parts>() {
    if let Some(native) = S::NATIVE_SIZE {
        assert!(
            size_of::<S>() <= native || holds_as_much(&S::PLACES, native),
            "the state machine is larger than the compiler's future"
        );
    }
}

/// Whether one of the fields takes as many bytes.
const fn holds_as_much(places: &Places, size: usize) -> bool {
    let mut index = 0;
    while index < places.at.len() {
        if places.at[index] != NOWHERE && places.sizes[index].size >= size {
            return true;
        }
        index += 1;
    }
    false
}

/// Whether a machine has returned.
#[must_use]
pub fn is_terminated<S: Inferred>(machine: &S) -> bool {
    // SAFETY: the machine is borrowed, and the tag only read.
    unsafe { Tag::<S>::of(base(machine)) }.get() == done::<S>()
}

/// Goes on with a trace in what a machine awaits.
pub fn trace<S: Inferred>(machine: &S, visit: &mut Visit<'_>) {
    visit(machine.state());
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe { S::advance(base(machine), 0, &mut Looking::Trace(visit), &Region::new()) };
}

/// `Debug` of a machine: where it stands, and what it stores there.
///
/// # Errors
///
/// Those of the formatter.
pub fn debug<S: Inferred>(machine: &S, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let state = machine.state();
    let mut shown = f.debug_struct(S::NAME);
    shown.field("state", &state.name).field("line", &state.line);
    // SAFETY: the machine is borrowed, and only looked at.
    let _ = unsafe {
        S::advance(
            base(machine),
            0,
            &mut Looking::Locals(&mut shown),
            &Region::new(),
        )
    };
    shown.finish()
}
