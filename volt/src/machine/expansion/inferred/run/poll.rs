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
//! What is seldom is left by a jump: `register_first` and `poll_ended` have the arguments and the output of the poll
//! itself, and end it. A call within would have every poll save registers. The compiler must not see that `poll_ended`
//! never returns, as it makes calls, and no jumps, to such functions.

use core::cell::Cell;
use core::hint;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::modes::{AWAITS, NotRun, PollMode, Region};
use super::advance::ExplicitMachine;
use super::drive::base_mut;
use super::fallback::advance;
use super::tag::{Tag, done, poisoned};
use crate::machine::expansion::after_end::{resumed_after_completion, resumed_after_panicking};
use crate::machine::expansion::native::BuildTables;
use crate::machine::expansion::waker_check::refuse_or_poll;

/// With so many states a poll finds its block by a table. It costs least where each number is a case of its own, and
/// the compiler knows that there is no other: nothing is compared in front of the table then.
const MIN_TABLE_STATES: usize = 5;

/// Polls a machine. A panic of what it runs drops what it stores, in the order of its scopes, and
/// leaves it poisoned. The runtime, if there is one, is told of a machine that begins.
#[inline]
pub fn poll<S: ExplicitMachine>(mut machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    let is_over = Cell::new(false);
    match run_block::<S, true>(machine.as_mut(), cx, &is_over) {
        Ok(_) if is_over.get() => beyond_limit(machine, cx),
        Ok(polled) => polled,
        Err(NotRun::MustRegister) => register_first(machine, cx),
        Err(NotRun::Done) if const { S::STATES.len() >= MIN_TABLE_STATES } => {
            poll_ended::<S, true>(machine, cx)
        }
        Err(_) => poll_ended::<S, false>(machine, cx),
    }
}

/// Polls a machine of which nobody is told. `is_over` is set if it reaches its limit of awaits.
#[inline]
pub(crate) fn poll_unregistered<S: ExplicitMachine>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    is_over: &Cell<bool>,
) -> Poll<S::Output> {
    run_block::<S, false>(machine.as_mut(), cx, is_over).unwrap_or_else(|_| panic_ended(machine))
}

/// Runs the block of the state, or says why none is run. That is no panic of its own, so the guard
/// is gone by then.
#[inline]
fn run_block<S: ExplicitMachine, const REGISTERS: bool>(
    machine: Pin<&mut S>,
    cx: &mut Context<'_>,
    is_over: &Cell<bool>,
) -> Result<Poll<S::Output>, NotRun> {
    // One address for the guard and for the blocks: to make another of the reference, if the machine is `Unpin`, would
    // be the end of the guard's.
    let base = pinned(machine);
    // SAFETY: the machine is borrowed for longer than the guard lives.
    let guard = PoisonTag(unsafe { Tag::<S>::of(base) });
    let state = guard.0.get();
    // SAFETY: no number above that of a panic is ever set. So no code is written for blocks between awaits, which have
    // numbers behind it. There is room for one more: if not, the compiler would take the last one for all others.
    unsafe { hint::assert_unchecked(state <= const { poisoned::<S>() + 1 }) };
    let mut mode: PollMode<'_, '_, REGISTERS> = PollMode {
        cx,
        left: AWAITS,
        is_over,
        not_run: None,
    };
    // SAFETY: borrowed, and pinned.
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
) -> Poll<S::Output> {
    let place = tag(machine.as_mut()).place().addr();
    let again = |cx: &mut Context<'_>| poll_again(machine.as_mut(), cx);
    refuse_or_poll(again, cx, place)
}

/// Tells the runtime of the first machine of a type, and polls it.
#[cold]
#[inline(never)]
fn register_first<S: ExplicitMachine>(
    machine: Pin<&mut S>,
    cx: &mut Context<'_>,
) -> Poll<S::Output> {
    if let Some(once) = <S::Rows as BuildTables<S>>::REGISTER_ONCE {
        once.register();
    }
    poll_again(machine, cx)
}

/// Refuses to poll a machine that has ended. `AS_DONE` keeps two of these apart.
#[cold]
#[inline(never)]
fn poll_ended<S: ExplicitMachine, const AS_DONE: bool>(
    mut machine: Pin<&mut S>,
    cx: &mut Context<'_>,
) -> Poll<S::Output> {
    let state = tag(machine.as_mut()).get();
    if hint::black_box(AS_DONE) || state >= done::<S>() {
        panic_ended(machine);
    }
    poll_again(machine, cx)
}

/// Polls in a way that the compiler does not see through: it would take the poll into the cold functions.
fn poll_again<S: ExplicitMachine>(machine: Pin<&mut S>, cx: &mut Context<'_>) -> Poll<S::Output> {
    let poll: fn(Pin<&mut S>, &mut Context<'_>) -> Poll<S::Output> = S::poll;
    hint::black_box(poll)(machine, cx)
}

/// What a poll of a machine that has ended does.
#[cold]
fn panic_ended<S: ExplicitMachine>(machine: Pin<&mut S>) -> ! {
    match tag(machine).get() == done::<S>() {
        true => resumed_after_completion(),
        false => resumed_after_panicking(),
    }
}

/// The first byte of a machine that is pinned.
#[inline]
fn pinned<S: ExplicitMachine>(machine: Pin<&mut S>) -> *mut u8 {
    // SAFETY: nothing is moved out.
    base_mut(unsafe { Pin::get_unchecked_mut(machine) })
}

#[inline]
fn tag<S: ExplicitMachine>(machine: Pin<&mut S>) -> Tag<S> {
    // SAFETY: the machine is borrowed, and the tag used as long as that.
    unsafe { Tag::<S>::of(pinned(machine)) }
}

/// Notes a panic: what was stored is dropped by then.
struct PoisonTag<S: ExplicitMachine>(Tag<S>);

impl<S: ExplicitMachine> Drop for PoisonTag<S> {
    #[inline]
    fn drop(&mut self) {
        self.0.set(const { poisoned::<S>() });
    }
}
