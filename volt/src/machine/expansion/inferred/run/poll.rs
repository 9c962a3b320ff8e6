//! The poll of an explicit machine.
//!
//! ```text
//!                   poll
//!                     |
//!   tag: 0        an await      done, poisoned
//!    |                |               |
//! registered? no -> register_first  poll_ended panics
//!    | yes            |
//!    v                v
//!  block 0         block n
//! ```
//!
//! Rare cases leave the poll by a jump: `register_first` and `poll_ended` have the arguments and
//! the output of the poll itself, the first also its address, and end it. With a call in the
//! middle, every poll would save registers. The compiler must not see that `poll_ended` never
//! returns, because it compiles calls of such functions as calls, not as jumps.

use core::cell::Cell;
use core::hint;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{NotRun, PollMode, Region};
use super::advance::ExplicitMachine;
use super::drive::base_mut;
use super::fallback::advance;
use super::tag::{Tag, done, poisoned};
use crate::machine::expansion::after_end::{resumed_after_completion, resumed_after_panicking};
use crate::machine::expansion::native::BuildTables;
use crate::machine::expansion::waker_check::refuse_or_poll;

/// The poll of a machine, which the cold functions call again.
///
/// The poll passes its own address. A cold function that named it would be in another codegen unit,
/// and that unit would get a second copy of the poll. `black_box` prevents that the compiler
/// inlines the poll in them.
type PollFn<S> = fn(Pin<&mut S>, &mut Context<'_>) -> Poll<<S as Future>::Output>;

/// With this number of states a poll finds its block by a jump table. The table is cheapest if each
/// number is a case of its own and the compiler knows that there is no other, because then no
/// comparison precedes it.
const MIN_TABLE_STATES: usize = 5;

/// Polls a machine. A panic in its code drops the stored values, in the order of their scopes, and
/// leaves the machine poisoned. The type of a machine that begins is registered with the runtime,
/// if there is one.
#[inline]
pub fn poll<S: ExplicitMachine>(mut machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    let is_over = Cell::new(false);
    match run_block::<S, true>(machine.as_mut(), cx, &is_over) {
        Ok(_) if is_over.get() => beyond_limit(machine, cx, S::poll),
        Ok(polled) => polled,
        Err(NotRun::MustRegister) => register_first(machine, cx, S::poll),
        Err(NotRun::Done) if const { S::STATES.len() >= MIN_TABLE_STATES } => {
            poll_ended::<S, true>(machine, cx)
        }
        Err(_) => poll_ended::<S, false>(machine, cx),
    }
}

/// Polls a machine without registration. `is_over` is set if it reaches its limit of awaits.
#[inline]
pub(crate) fn poll_unregistered<S: ExplicitMachine>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    is_over: &Cell<bool>,
) -> Poll<S::Output> {
    run_block::<S, false>(machine.as_mut(), cx, is_over).unwrap_or_else(|_| panic_ended(machine))
}

/// Runs the block of the state, or returns the reason for which none is run. The caller panics for
/// such a reason after the guard is gone.
#[inline]
fn run_block<S: ExplicitMachine, const REGISTERS: bool>(
    machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    is_over: &Cell<bool>,
) -> Result<Poll<S::Output>, NotRun> {
    // One address for the guard and for the blocks. A second address, derived from the reference,
    // would invalidate that of the guard if the machine is `Unpin`.
    let base = pinned(machine);
    // SAFETY: the machine is borrowed for longer than the guard lives.
    let guard = PoisonTag(unsafe { Tag::<S>::of(base) });
    let state = guard.0.get();
    // SAFETY: no number above that of a panic is ever set. So no code is generated for blocks
    // between awaits, which have higher numbers. The limit is one higher than necessary; otherwise
    // the compiler would use the last number for all others.
    unsafe { hint::assert_unchecked(state <= const { poisoned::<S>() + 1 }) };
    let mut mode = PollMode::<REGISTERS>::new(cx, is_over);
    // SAFETY: the machine is borrowed, and pinned.
    let polled = unsafe { advance::<S, _>(base, state, &mut mode, &Region::new()) };
    mem::forget(guard);
    match mode.not_run {
        // SAFETY: no such number is ever set.
        Some(NotRun::Never) if const { S::STATES.len() >= MIN_TABLE_STATES } => unsafe {
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
fn beyond_limit<S: ExplicitMachine>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    poll: PollFn<S>,
) -> Poll<S::Output> {
    let place = tag(machine.as_mut()).place().addr();
    let again = |cx: &mut Context<'_>| hint::black_box(poll)(machine.as_mut(), cx);
    refuse_or_poll(again, cx, place)
}

/// Registers the type of the first machine, and polls the machine.
#[cold]
#[inline(never)]
fn register_first<S: ExplicitMachine>(
    machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    poll: PollFn<S>,
) -> Poll<S::Output> {
    if let Some(once) = <S::Rows as BuildTables<S>>::REGISTER_ONCE {
        once.register();
    }
    hint::black_box(poll)(machine, cx)
}

/// Panics because a machine has ended. `AS_DONE` creates two instances of the function.
#[cold]
#[inline(never)]
fn poll_ended<S: ExplicitMachine, const AS_DONE: bool>(
    machine: Pin<&mut S>,
    _: &mut Context<'_>,
) -> Poll<S::Output> {
    panic_opaquely(AS_DONE || tag(machine).get() == done::<S>());
    Poll::Pending
}

/// Panics with the message for a machine that has ended. The compiler cannot see that this function
/// never returns.
#[cold]
#[inline(never)]
fn panic_opaquely(is_done: bool) {
    if hint::black_box(true) {
        panic_for(is_done);
    }
}

/// Panics with the message for a machine that has ended.
#[cold]
fn panic_ended<S: ExplicitMachine>(machine: Pin<&mut S>) -> ! {
    panic_for(tag(machine).get() == done::<S>())
}

#[cold]
fn panic_for(is_done: bool) -> ! {
    if is_done {
        resumed_after_completion()
    } else {
        resumed_after_panicking()
    }
}

/// Returns the first byte of a pinned machine.
#[inline]
fn pinned<S: ExplicitMachine>(machine: Pin<&mut S>) -> *mut u8 {
    // SAFETY: nothing is moved out.
    base_mut(unsafe { Pin::get_unchecked_mut(machine) })
}

#[inline]
fn tag<S: ExplicitMachine>(machine: Pin<&mut S>) -> Tag<S> {
    // SAFETY: the machine is borrowed for as long as the tag is used.
    unsafe { Tag::<S>::of(pinned(machine)) }
}

/// Records a panic. The stored values are dropped by then.
struct PoisonTag<S: ExplicitMachine>(Tag<S>);

impl<S: ExplicitMachine> Drop for PoisonTag<S> {
    #[inline]
    fn drop(&mut self) {
        self.0.set(const { poisoned::<S>() });
    }
}
