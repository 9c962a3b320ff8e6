//! One poll of a machine, and how it ends.

use core::cell::Cell;
use core::future::Future;
use core::marker::PhantomData;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::checked::checked;
use crate::machine::announce::{Announced, announce};
use crate::machine::state_machine::StateMachine;

/// A set of states that can be empty.
///
/// # Safety
///
/// States that say that they are vacant hold no pinned value that was not dropped.
pub unsafe trait Vacate: Sized {
    /// Nothing: the machine is running, or has panicked.
    ///
    /// A function, for a constant would be written with all its bytes, also those of no meaning.
    fn poisoned() -> Self;
    /// Whether the states hold nothing that has to be dropped.
    fn is_vacant(&self) -> bool;
}

/// The states of a machine, which know it, and the last of themselves.
pub trait Poison: Vacate {
    /// The machine that the states are of.
    type Machine: StateMachine;
    /// The machine has returned.
    fn done() -> Self;

    /// Polls what is awaited at a state; where checks are on, says so if it forgets the waker.
    #[inline]
    fn watch<T>(
        state: usize,
        cx: &mut Context<'_>,
        poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        checked::<Self::Machine, T>(state, cx, poll)
    }
}

/// Who polls a machine.
pub trait Poller {
    /// Hears that the poll is the first, and gives back what it goes on with.
    fn first<T>(state: T) -> T;
}

/// Anybody: a machine of type `M` speaks for itself.
#[derive(Debug)]
pub struct Anybody<M>(PhantomData<M>);

impl<M: Announced> Poller for Anybody<M> {
    #[inline]
    fn first<T>(state: T) -> T {
        announce::<M, T>(state)
    }
}

/// Another machine, which speaks for those that it awaits.
#[derive(Debug)]
pub struct Caller;

impl Poller for Caller {
    #[inline]
    fn first<T>(state: T) -> T {
        state
    }
}

/// The beginning of a poll.
#[derive(Debug)]
pub struct Begin<'a, P> {
    guards: &'a Cell<bool>,
    poller: PhantomData<P>,
}

impl<'a, P: Poller> Begin<'a, P> {
    /// A poll that sets `guards` when a panic is to drop what the states hold.
    #[inline]
    pub(super) fn new(guards: &'a Cell<bool>) -> Self {
        let poller = PhantomData;
        Self { guards, poller }
    }

    /// From here on a panic drops what the states hold. Before, the question where they stand may
    /// panic; that it leaves them alone is what spares each poll to be ready for it.
    #[inline]
    pub fn guard(&self) {
        self.guards.set(true);
    }

    /// The machine was never polled. To be called before anything is read.
    #[inline]
    pub fn first<T>(&self, state: T) -> T {
        P::first(state)
    }
}

/// Runs `advance`, and leaves the states done if it is ready and poisoned if it panics.
///
/// A panic drops what the states hold before it goes on, in the order of a cancellation.
#[inline]
pub fn drive<P: Poller, S: Poison, T>(
    states: Pin<&mut S>,
    advance: impl FnOnce(Pin<&mut S>, Begin<'_, P>) -> Poll<T>,
) -> Poll<T> {
    let guards = &Cell::new(false);
    let mut guard = Guard { states, guards };
    match advance(guard.states.as_mut(), Begin::new(guards)) {
        Poll::Pending => {
            mem::forget(guard);
            Poll::Pending
        }
        Poll::Ready(output) => {
            guard.states.set(S::done());
            mem::forget(guard);
            Poll::Ready(output)
        }
    }
}

struct Guard<'a, 'g, S: Vacate> {
    states: Pin<&'a mut S>,
    guards: &'g Cell<bool>,
}

impl<S: Vacate> Drop for Guard<'_, '_, S> {
    #[inline]
    fn drop(&mut self) {
        if self.guards.get() {
            poison(self.states.as_mut());
        }
    }
}

#[cold]
fn poison<S: Vacate>(mut states: Pin<&mut S>) {
    states.set(S::poisoned());
}

/// Calls a closure that stands in place of a future: `poll_fn(|cx| ..)` inlined.
#[inline]
pub fn poll_once<T>(
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    poll(cx)
}

/// Polls a future that is borrowed for this poll only: `(&mut future).await` inlined.
#[inline]
pub fn poll_unpin<F: Future + Unpin + ?Sized>(
    future: &mut F,
    cx: &mut Context<'_>,
) -> Poll<F::Output> {
    Pin::new(future).poll(cx)
}

/// What a poll after completion does.
#[cold]
#[track_caller]
pub fn resumed_after_completion() -> ! {
    panic!("`async fn` resumed after completion")
}

/// What a poll after a panic does.
#[cold]
#[track_caller]
pub fn resumed_after_panicking() -> ! {
    panic!("`async fn` resumed after panicking")
}

/// What a poll does that finds a room vacant. None does: a panic poisons the states around it.
///
/// It does not unwind, so that nobody has to be ready for it.
#[cold]
pub extern "C" fn resumed_in_vacant_room() -> ! {
    panic!("a room of a state machine is vacant")
}
