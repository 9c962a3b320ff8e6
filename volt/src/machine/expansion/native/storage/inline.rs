//! The storage of a coroutine in bytes of the machine itself.

use core::cell::UnsafeCell;
use core::fmt;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit, offset_of};
use core::panic::RefUnwindSafe;
use core::task::{Context, Poll};

use super::super::coroutine::CoroutineInfo;
use super::super::position::{MachineStage, PendingAwait, PositionStore, Progress};
use super::align::{Align, Aligned};
use super::native_storage::CoroutineStorage;
use crate::machine::expansion::waker_check::report_noted;
use crate::machine::walk::Walk;

/// The arguments until the first poll, the coroutine from then on.
///
/// It has the alignment of both. The position before it in a machine may be as small as one byte.
#[repr(C)]
union InlineSlot<A, U: Copy, const SIZE: usize> {
    arguments: ManuallyDrop<A>,
    coroutine: MaybeUninit<[u8; SIZE]>,
    align: [U; 0],
}

/// Arguments `A`, then a coroutine of at most `SIZE` bytes.
///
/// The slot is in `ManuallyDrop`, so that its size does not decide whether a machine needs to be
/// dropped. Otherwise two machines that await each other in boxes would depend on each other for
/// that.
#[repr(C)]
pub struct Inline<
    A,
    const SIZE: usize,
    const ALIGN: usize,
    M: CoroutineInfo,
    N: PositionStore = Progress,
> where
    Align<ALIGN>: Aligned,
{
    progress: N,
    slot: ManuallyDrop<UnsafeCell<InlineSlot<A, <Align<ALIGN> as Aligned>::Unit, SIZE>>>,
    arguments: PhantomData<A>,
    machine: PhantomData<fn() -> M>,
    pinned: PhantomPinned,
}

// SAFETY: N3: through a shared reference only the slot's bytes in which a trace continues are read,
// in a machine that reads only its own progress. The other contents of the slot are checked for the
// arguments here, and for the coroutine by `HeldAcrossAwait`.
unsafe impl<
    A: Sync,
    const SIZE: usize,
    const ALIGN: usize,
    M: CoroutineInfo,
    N: PositionStore + Sync,
> Sync for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
}

// A machine that has panicked is never polled again, so no code sees a state that is half written.
impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo, N: PositionStore> RefUnwindSafe
    for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
}

impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo, N: PositionStore> fmt::Debug
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

impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo, N: PositionStore>
    Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
    /// # Safety
    ///
    /// `this` points to a live value.
    #[inline]
    unsafe fn slot(this: *mut Self) -> *mut () {
        const {
            assert!(
                offset_of!(Self, slot) == slot_offset::<M, N>(),
                "it is where others look"
            )
        };
        // SAFETY: promised by the caller; `ManuallyDrop` is transparent.
        let slot = unsafe { &raw const (*this).slot };
        UnsafeCell::raw_get(slot.cast::<UnsafeCell<()>>()).cast()
    }
}

/// Returns the offset of the slot in a machine. If its position has the greater alignment, there is
/// no padding between the two.
pub(crate) const fn slot_offset<M, N>() -> usize {
    size_of::<N>().next_multiple_of(align_of::<M>())
}

impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo, N: PositionStore> Drop
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
        if is_start {
            // SAFETY: N1; nothing is dropped twice.
            unsafe { slot.cast::<A>().drop_in_place() }
        } else {
            // SAFETY: N1; nothing is dropped twice.
            unsafe { M::VTABLE.drop(slot) }
        }
    }
}

impl<A, const SIZE: usize, const ALIGN: usize, M: CoroutineInfo, N: PositionStore> CoroutineStorage
    for Inline<A, SIZE, ALIGN, M, N>
where
    Align<ALIGN>: Aligned,
{
    fn stage(&self) -> MachineStage {
        self.progress.stage()
    }

    fn walk(&self, walk: &mut Walk<'_, '_>) {
        let base = self.slot.get().cast_const().cast();
        // SAFETY: a poll has exclusive access to the machine, so none is running.
        unsafe { self.progress.walk(base, walk) };
    }
}

/// Polls a coroutine, records a panic, and reports an await that has forgotten its waker.
#[inline]
pub(crate) fn poll_or_poison<T, N: PositionStore>(
    progress: &N,
    cx: &mut Context<'_>,
    poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    let (guard, pending) = (PoisonPosition(progress), PendingAwait::begin());
    let polled = poll(cx);
    core::mem::forget(guard);
    if polled.is_pending() {
        pending.end(progress);
        report_noted(cx, || progress.stage().waiting());
    }
    polled
}

/// Records a panic, which leaves the coroutine poisoned.
struct PoisonPosition<'a, N: PositionStore>(&'a N);

impl<N: PositionStore> Drop for PoisonPosition<'_, N> {
    fn drop(&mut self) {
        self.0.poison();
    }
}
