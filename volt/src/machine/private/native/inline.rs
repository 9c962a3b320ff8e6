//! A coroutine in bytes of the machine itself.

use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr;
use core::task::{Context, Poll};

use super::align::{Align, Aligned};
use super::marks::Parts;
use super::notes::{Notes, Stage};
use super::progress::Progress;
use super::storage::Storage;
use crate::machine::announce::{Announced, tell};
use crate::machine::state::State;

/// The arguments until the first poll, the coroutine from then on.
///
/// It has the alignment of both: what stands before it in a machine is as small as a byte.
#[repr(C)]
union Slot<A, U: Copy, const SIZE: usize> {
    arguments: ManuallyDrop<A>,
    coroutine: MaybeUninit<[u8; SIZE]>,
    align: [U; 0],
}

/// Arguments `A`, then a coroutine of at most `SIZE` bytes.
///
/// The slot stands in `ManuallyDrop`, so that whether a machine has to be dropped is no question
/// of its length: two machines that await each other in boxes would ask each other for that.
#[repr(C)]
pub struct Inline<A, const SIZE: usize, const ALIGN: usize, M: Parts, N: Notes = Progress>
where
    Align<ALIGN>: Aligned,
{
    progress: N,
    slot: ManuallyDrop<UnsafeCell<Slot<A, <Align<ALIGN> as Aligned>::Unit, SIZE>>>,
    arguments: PhantomData<A>,
    machine: PhantomData<fn() -> M>,
    pinned: PhantomPinned,
}

// SAFETY: N3: through a shared reference nothing of the slot is read but where a trace goes on, in
// a machine that is asked for nothing but its own progress. What else the slot holds is asked of
// the arguments here and of the coroutine by `KeptAcrossAwaitsTheOptionSendTellsWhat`.
unsafe impl<A: Sync, const SIZE: usize, const ALIGN: usize, M: Parts, N: Notes + Sync> Sync
    for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
}

impl<A, const SIZE: usize, const ALIGN: usize, M: Parts, N: Notes> fmt::Debug
    for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inline")
            .field(&self.progress.stage())
            .finish()
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, M: Parts, N: Notes> Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
    /// Keeps the arguments.
    #[inline]
    pub const fn new(arguments: A) -> Self {
        Self {
            progress: N::NEW,
            slot: ManuallyDrop::new(UnsafeCell::new(Slot {
                arguments: ManuallyDrop::new(arguments),
            })),
            arguments: PhantomData,
            machine: PhantomData,
            pinned: PhantomPinned,
        }
    }

    /// Polls the coroutine, which the first poll makes.
    ///
    /// # Safety
    ///
    /// It is pinned. `A` and `N` are the arguments and the notes of the machine's coroutine.
    #[inline]
    pub unsafe fn poll(&mut self, cx: &mut Context<'_>) -> Poll<M::Output>
    where
        M: Future + Announced,
    {
        const { Self::fits(&M::MEASURED.layout) };
        // All below is raw pointers.
        let this: *mut Self = self;
        // SAFETY: `this` is live; a cell may be shared.
        let progress = unsafe { &(*this).progress };
        // SAFETY: a place of a live value, without a reference to it.
        let slot = unsafe { Self::slot(this) };
        // Lives as long as this poll: the coroutine takes the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        let mut taken = ptr::null_mut();
        // SAFETY: N1, N2: behind the start a coroutine of these hooks lies there, pinned as the machine is.
        let poll = |cx: &mut Context<'_>| unsafe { M::HOOKS.poll::<M::Output>(slot, cx) };
        if progress.is_start() {
            tell::<M>();
            // SAFETY: N1: at the start the slot holds the arguments, which `start` below ends.
            arguments.write(unsafe { slot.cast::<A>().read() });
            // One pointer for all: another one would end what the coroutine has of the first.
            taken = arguments.as_mut_ptr().cast();
            progress.start(taken);
            let notes = ptr::from_ref(progress).cast();
            // SAFETY: N2, N5: the machine is pinned from now on. `fits` has asked for size and alignment, and the
            // arguments are out.
            unsafe { M::HOOKS.make(notes, taken, slot) };
            // SAFETY: made above.
            unsafe { N::hand(|cx| poll(cx).is_ready(), taken) };
        }
        let polled = watched(progress, || poll(cx));
        match polled {
            Poll::Ready(_) => progress.end(),
            Poll::Pending => progress.forget(taken),
        }
        polled
    }

    /// # Safety
    ///
    /// `this` points to a live value.
    #[inline]
    unsafe fn slot(this: *mut Self) -> *mut () {
        // SAFETY: promised by the caller; `ManuallyDrop` is transparent.
        let slot = unsafe { &raw const (*this).slot };
        UnsafeCell::raw_get(slot.cast::<UnsafeCell<()>>()).cast()
    }

    /// Asks for the room that a coroutine needs.
    const fn fits(coroutine: &Layout) {
        assert!(
            coroutine.size() <= SIZE,
            "the coroutine is larger than its machine: raise `inline = N`"
        );
        assert!(
            coroutine.align() <= ALIGN,
            "the coroutine's alignment is larger than its machine's"
        );
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, M: Parts, N: Notes> Drop
    for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
    #[inline]
    fn drop(&mut self) {
        let this: *mut Self = self;
        // SAFETY: `this` is live; a cell may be shared.
        let is_start = unsafe { (*this).progress.is_start() };
        // SAFETY: a place of a live value.
        let slot = unsafe { Self::slot(this) };
        match is_start {
            // SAFETY: N1; nothing is dropped twice.
            true => unsafe { slot.cast::<A>().drop_in_place() },
            // SAFETY: N1; nothing is dropped twice.
            false => unsafe { M::HOOKS.drop(slot) },
        }
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, M: Parts, N: Notes> Storage
    for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
    fn stage(&self) -> Stage {
        self.progress.stage()
    }

    fn trace(&self, visit: &mut dyn FnMut(&'static State)) {
        let base = self.slot.get().cast_const().cast();
        // SAFETY: a poll has the machine to itself, so none is going on.
        unsafe { self.progress.trace(base, visit) };
    }
}

/// Polls a coroutine, and notes a panic.
#[inline]
pub(super) fn watched<T, N: Notes>(progress: &N, poll: impl FnOnce() -> Poll<T>) -> Poll<T> {
    let guard = Poison(progress);
    let polled = poll();
    core::mem::forget(guard);
    polled
}

/// Notes a panic that leaves the coroutine poisoned.
struct Poison<'a, N: Notes>(&'a N);

impl<N: Notes> Drop for Poison<'_, N> {
    fn drop(&mut self) {
        self.0.poison();
    }
}
