//! A coroutine whose type is a parameter of its machine.

use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::PhantomPinned;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::pin::Pin;
use core::task::{Context, Poll};

use super::inline::poll_pinned;
use super::notes::{Given, Notes, Stage};
use super::progress::Progress;
use super::storage::Storage;
use crate::machine::state::State;

/// What a machine is before its first poll.
struct Start<A, C, N: Notes> {
    arguments: A,
    make: fn(Given<'static, A, N>) -> C,
}

/// The arguments until the first poll, the coroutine from then on.
#[repr(C)]
union Slot<A, C, N: Notes> {
    start: ManuallyDrop<Start<A, C, N>>,
    coroutine: ManuallyDrop<C>,
}

/// Arguments `A`, then the coroutine `C`.
#[repr(C)]
pub struct Open<A, C, N: Notes = Progress> {
    progress: N,
    slot: UnsafeCell<Slot<A, C, N>>,
    pinned: PhantomPinned,
}

// SAFETY: what the slot holds is one of the two. Said here, and not found out field by field, because
// the compiler counts each field on the way into machines that await machines.
unsafe impl<A: Send, C: Send> Send for Open<A, C> {}
// SAFETY: N3: through a shared reference nothing of the slot is read but where a trace goes on.
unsafe impl<A: Sync, C: Sync, N: Notes + Sync> Sync for Open<A, C, N> {}

impl<A, C, N: Notes> fmt::Debug for Open<A, C, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Open").field(&self.progress.stage()).finish()
    }
}

impl<A, C, N: Notes> Open<A, C, N> {
    /// Keeps the arguments, and what makes the coroutine.
    ///
    /// # Safety
    ///
    /// The coroutine takes each argument once, and it does so before its first await.
    #[inline]
    pub const unsafe fn new(arguments: A, make: fn(Given<'static, A, N>) -> C) -> Self {
        Self {
            progress: N::NEW,
            slot: UnsafeCell::new(Slot {
                start: ManuallyDrop::new(Start { arguments, make }),
            }),
            pinned: PhantomPinned,
        }
    }

    /// Polls the coroutine, which the first poll makes.
    ///
    /// # Panics
    ///
    /// If the coroutine panics; it does so when it has returned before.
    #[inline]
    pub fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>, first: impl FnOnce()) -> Poll<C::Output>
    where
        C: Future,
    {
        // SAFETY: nothing is moved out: the machine is not `Unpin`, and all below is raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live; a cell may be shared.
        let progress = unsafe { &(*this).progress };
        // SAFETY: a place of a live value.
        let slot = unsafe { Self::slot(this) };
        let coroutine = slot.cast::<C>();
        // Lives as long as this poll: the coroutine takes the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        if progress.is_start() {
            first();
            // SAFETY: N1: at the start the slot holds the arguments, which `start` below ends.
            let start = unsafe { slot.cast::<Start<A, C, N>>().read() };
            let start = ManuallyDrop::new(start);
            // SAFETY: the value around is not dropped.
            arguments.write(unsafe { core::ptr::read(&raw const start.arguments) });
            // One pointer for all: another one would end what the coroutine has of the first.
            let taken = arguments.as_mut_ptr();
            progress.start(taken.cast());
            // SAFETY: N2, N5: the machine is pinned from now on.
            let late = unsafe { Given::new(progress, taken) };
            // SAFETY: the arguments are out.
            unsafe { coroutine.write((start.make)(late)) };
            // SAFETY: N2: written above, and pinned as the machine is.
            unsafe { N::hand(coroutine, taken.cast()) };
        }
        // SAFETY: N1, N2: the coroutine, pinned as the machine is.
        let polled = unsafe { poll_pinned(coroutine, progress, cx) };
        if polled.is_ready() {
            progress.end();
        }
        polled
    }

    /// # Safety
    ///
    /// `this` points to a live value.
    #[inline]
    unsafe fn slot(this: *mut Self) -> *mut () {
        // SAFETY: promised by the caller.
        let slot = unsafe { &raw const (*this).slot };
        UnsafeCell::raw_get(slot).cast()
    }
}

impl<A, C, N: Notes> Drop for Open<A, C, N> {
    #[inline]
    fn drop(&mut self) {
        let this: *mut Self = self;
        // SAFETY: `this` is live; a cell may be shared.
        let is_start = unsafe { (*this).progress.is_start() };
        // SAFETY: a place of a live value.
        let slot = unsafe { Self::slot(this) };
        match is_start {
            // SAFETY: N1, and this is the end of the value.
            true => unsafe { slot.cast::<Start<A, C, N>>().drop_in_place() },
            // SAFETY: N1, and this is the end of the value.
            false => unsafe { slot.cast::<C>().drop_in_place() },
        }
    }
}

impl<A, C, N: Notes> Storage for Open<A, C, N> {
    fn stage(&self) -> Stage {
        self.progress.stage()
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        let base = self.slot.get().cast_const().cast();
        // SAFETY: a poll has the machine to itself, so none is going on.
        unsafe { self.progress.trace(base, visit) };
    }
}
