//! A coroutine in bytes of the machine itself.

use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::align::{Align, Aligned};
use super::notes::{Given, Make, Notes, Stage};
use super::progress::Progress;
use super::storage::Storage;
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
pub struct Inline<A, const SIZE: usize, const ALIGN: usize, N = Progress>
where
    Align<ALIGN>: Aligned,
{
    progress: N,
    slot: ManuallyDrop<UnsafeCell<Slot<A, <Align<ALIGN> as Aligned>::Unit, SIZE>>>,
    arguments: PhantomData<A>,
    pinned: PhantomPinned,
}

// SAFETY: N3: through a shared reference nothing of the slot is read but where a trace goes on, in
// a machine that is asked for nothing but its own progress. What else the slot holds is asked of
// the arguments here and of the coroutine by `KeptAcrossAwaitsTheOptionSendTellsWhat`.
unsafe impl<A: Sync, const SIZE: usize, const ALIGN: usize, N: Sync> Sync
    for Inline<A, SIZE, ALIGN, N>
where
    Align<ALIGN>: Aligned,
{
}

impl<A, const SIZE: usize, const ALIGN: usize, N: Notes> fmt::Debug for Inline<A, SIZE, ALIGN, N>
where
    Align<ALIGN>: Aligned,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inline")
            .field(&self.progress.stage())
            .finish()
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, N: Notes> Inline<A, SIZE, ALIGN, N>
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
            pinned: PhantomPinned,
        }
    }

    /// Polls the coroutine, which `make` makes at the first poll.
    ///
    /// # Safety
    ///
    /// All calls on one value name the same `F`, lifetimes aside. The coroutine takes each argument
    /// once, and it does so before its first await.
    #[inline]
    pub unsafe fn poll<F: Future>(
        self: Pin<&mut Self>,
        make: impl Make<A, N, Coroutine = F>,
        cx: &mut Context<'_>,
        first: impl FnOnce(),
    ) -> Poll<F::Output> {
        const { Self::fits::<F>() };
        // SAFETY: nothing is moved out: the machine is not `Unpin`, and all below is raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live; a cell may be shared.
        let progress = unsafe { &(*this).progress };
        // SAFETY: a place of a live value, without a reference to it.
        let coroutine = unsafe { Self::coroutine(this) }.cast::<F>();
        // Lives as long as this poll: the coroutine takes the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        let mut taken = ptr::null_mut();
        if progress.is_start() {
            first();
            // SAFETY: N1: at the start the slot holds the arguments, which `start` below ends.
            arguments.write(unsafe { coroutine.cast::<A>().read() });
            // One pointer for all: another one would end what the coroutine has of the first.
            taken = arguments.as_mut_ptr();
            progress.start(taken.cast());
            // SAFETY: N2, N5: the machine is pinned from now on.
            let late = unsafe { Given::new(progress, taken) };
            // SAFETY: `fits` has asked for size and alignment, and the arguments are out.
            unsafe { coroutine.write(make.make(late)) };
            // SAFETY: N2: written above, and pinned as the machine is.
            unsafe { N::hand(coroutine, taken.cast()) };
        }
        // SAFETY: N1, N2: a coroutine of this type, pinned as the machine is.
        let polled = unsafe { poll_pinned(coroutine, progress, cx) };
        match polled {
            Poll::Ready(_) => progress.end(),
            Poll::Pending => progress.forget(taken.cast()),
        }
        polled
    }

    /// Drops what the slot holds. The function is only asked for its type.
    ///
    /// # Safety
    ///
    /// As for `poll`, and it is the last call.
    #[inline]
    pub unsafe fn drop<F>(&mut self, _: impl Make<A, N, Coroutine = F>) {
        let this: *mut Self = self;
        // SAFETY: `this` is live; a cell may be shared.
        let is_start = unsafe { (*this).progress.is_start() };
        // SAFETY: a place of a live value.
        let slot = unsafe { Self::coroutine(this) };
        match is_start {
            // SAFETY: N1; the caller drops nothing twice.
            true => unsafe { slot.cast::<A>().drop_in_place() },
            // SAFETY: N1; the caller drops nothing twice.
            false => unsafe { slot.cast::<F>().drop_in_place() },
        }
    }

    /// # Safety
    ///
    /// `this` points to a live value.
    #[inline]
    unsafe fn coroutine(this: *mut Self) -> *mut () {
        // SAFETY: promised by the caller; `ManuallyDrop` is transparent.
        let slot = unsafe { &raw const (*this).slot };
        UnsafeCell::raw_get(slot.cast::<UnsafeCell<()>>()).cast()
    }

    /// Asks for the room that a coroutine needs.
    const fn fits<F>() {
        assert!(
            size_of::<F>() <= SIZE,
            "the coroutine is larger than its machine: raise `inline = N`"
        );
        assert!(
            align_of::<F>() <= ALIGN,
            "the coroutine's alignment is larger than its machine's"
        );
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, N: Notes> Storage for Inline<A, SIZE, ALIGN, N>
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

/// Polls a coroutine where it lies, and notes a panic.
///
/// # Safety
///
/// It is live, stays there until it is dropped, and nobody else has a reference to it.
#[inline]
pub(super) unsafe fn poll_pinned<F: Future, N: Notes>(
    coroutine: *mut F,
    progress: &N,
    cx: &mut Context<'_>,
) -> Poll<F::Output> {
    let guard = Poison(progress);
    // SAFETY: promised by the caller.
    let coroutine = unsafe { &mut *coroutine };
    // SAFETY: promised by the caller.
    let polled = unsafe { Pin::new_unchecked(coroutine) }.poll(cx);
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
