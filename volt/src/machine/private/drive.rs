//! One poll of a machine, and how it ends.

use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::checked::checked;
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
    /// Whether the machine has returned.
    fn is_done(&self) -> bool;

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

/// Runs `advance`, and leaves the states done if it is ready and poisoned if it panics.
///
/// A panic drops what the states hold before it goes on, in the order of a cancellation.
#[inline]
pub fn drive<S: Poison, T>(
    states: Pin<&mut S>,
    advance: impl FnOnce(Pin<&mut S>) -> Poll<T>,
) -> Poll<T> {
    let mut guard = Guard(states);
    match advance(guard.0.as_mut()) {
        Poll::Pending => {
            mem::forget(guard);
            Poll::Pending
        }
        Poll::Ready(output) => {
            guard.0.set(S::done());
            mem::forget(guard);
            Poll::Ready(output)
        }
    }
}

struct Guard<'a, S: Poison>(Pin<&'a mut S>);

impl<S: Poison> Drop for Guard<'_, S> {
    fn drop(&mut self) {
        if !self.0.is_done() {
            self.0.set(S::poisoned());
        }
    }
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
