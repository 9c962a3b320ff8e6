//! A poll of a machine.
//!
//! ```text
//!                   poll
//!                     |
//!   tag: 0        an await      done, poisoned
//!    |                |               |
//!  told? -- no --> tell_first       ended -- panics
//!    | yes            |
//!    v                v
//!  block 0         block n
//! ```
//!
//! What is seldom is left by a jump: `tell_first` and `ended` have the arguments and the output of the poll
//! itself, and end it. A call within would have every poll save registers. The compiler must not see that `ended`
//! never returns, as it makes calls, and no jumps, to such functions.

use core::cell::Cell;
use core::hint;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{AWAITS, Polling, Region, Why};
use super::advance::Inferred;
use super::drive::base_mut;
use super::fallback::advance;
use super::tag::{Tag, done, poisoned};
use crate::machine::expansion::after_end::{resumed_after_completion, resumed_after_panicking};
use crate::machine::expansion::native::Rows;
use crate::machine::expansion::waker_check::refuse_or_poll;

/// With so many states a poll finds its block by a table. It costs least where each number is a case of its own, and
/// the compiler knows that there is no other: nothing is compared in front of the table then.
const WITH_TABLE: usize = 5;

/// Polls a machine. A panic of what it runs drops what it stores, in the order of its scopes, and
/// leaves it poisoned. The runtime, if there is one, is told of a machine that begins.
#[inline]
pub fn poll<S: Inferred>(mut machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    let is_over = Cell::new(false);
    match go_on::<S, true>(machine.as_mut(), cx, &is_over) {
        Ok(_) if is_over.get() => beyond_limit(machine, cx),
        Ok(polled) => polled,
        Err(Why::Untold) => tell_first(machine, cx),
        Err(Why::Done) if const { S::STATES.len() >= WITH_TABLE } => ended::<S, true>(machine, cx),
        Err(_) => ended::<S, false>(machine, cx),
    }
}

/// Polls a machine of which nobody is told. `is_over` is set if it reaches its limit of awaits.
#[inline]
pub(crate) fn poll_untold<S: Inferred>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    is_over: &Cell<bool>,
) -> Poll<S::Output> {
    go_on::<S, false>(machine.as_mut(), cx, is_over).unwrap_or_else(|_| refuse(machine))
}

/// Runs the block of the state, or says why none is run. That is no panic of its own, so the guard
/// is gone by then.
#[inline]
fn go_on<S: Inferred, const TELLS: bool>(
    machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    is_over: &Cell<bool>,
) -> Result<Poll<S::Output>, Why> {
    // One address for the guard and for the blocks: to make another of the reference, if the machine is `Unpin`, would
    // be the end of the guard's.
    let base = pinned(machine);
    // SAFETY: the machine is borrowed for longer than the guard lives.
    let guard = Poison(unsafe { Tag::<S>::of(base) });
    let state = guard.0.get();
    // SAFETY: no number above that of a panic is ever set. So no code is written for blocks between awaits, which have
    // numbers behind it. There is room for one more: if not, the compiler would take the last one for all others.
    unsafe { hint::assert_unchecked(state <= const { poisoned::<S>() + 1 }) };
    let mut mode: Polling<'_, '_, TELLS> = Polling {
        cx,
        left: AWAITS,
        is_over,
        unpolled: None,
    };
    // SAFETY: borrowed, and pinned.
    let polled = unsafe { advance::<S, _>(base, state, &mut mode, &Region::new()) };
    mem::forget(guard);
    match mode.unpolled {
        // SAFETY: no such number is ever set.
        Some(Why::Never) if const { S::STATES.len() >= WITH_TABLE } => unsafe {
            hint::unreachable_unchecked()
        },
        Some(why) => Err(why),
        None => Ok(polled),
    }
}

/// Ends a poll in which an await was beyond the limit. Wakes the task, or polls again, if there is
/// no limit here.
#[cold]
#[inline(never)]
fn beyond_limit<S: Inferred>(mut machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    let place = tag(machine.as_mut()).place().addr();
    let again = |cx: &mut Context<'_>| poll_again(machine.as_mut(), cx);
    refuse_or_poll(again, cx, place)
}

/// Tells the runtime of the first machine of a type, and polls it.
#[cold]
#[inline(never)]
fn tell_first<S: Inferred>(machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    if let Some(told) = <S::Written as Rows<S>>::TOLD {
        told.tell();
    }
    poll_again(machine, cx)
}

/// Refuses to poll a machine that has ended. `AS_DONE` keeps two of these apart.
#[cold]
#[inline(never)]
fn ended<S: Inferred, const AS_DONE: bool>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
) -> Poll<S::Output> {
    let state = tag(machine.as_mut()).get();
    if hint::black_box(AS_DONE) || state >= done::<S>() {
        refuse(machine);
    }
    poll_again(machine, cx)
}

/// Polls in a way that the compiler does not see through: it would take the poll into the cold functions.
fn poll_again<S: Inferred>(machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    let poll: fn(Pin<&mut S>, &mut Context<'_>) -> Poll<S::Output> = S::poll;
    hint::black_box(poll)(machine, cx)
}

/// What a poll of a machine that has ended does.
#[cold]
fn refuse<S: Inferred>(machine: Pin<&mut S>) -> ! {
    match tag(machine).get() == done::<S>() {
        true => resumed_after_completion(),
        false => resumed_after_panicking(),
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
