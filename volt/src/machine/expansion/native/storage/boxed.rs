//! The storage of a coroutine in a box, for machines whose declaration does not know its size.

use alloc::boxed::Box;
use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::ptr;
use core::task::{Context, Poll};

use super::super::coroutine::poll_in_place;
use super::super::position::{CoroutineFn, CoroutineInput, MachineStage, PositionStore, Progress};
use super::inline::poll_or_poison;
use super::native_storage::CoroutineStorage;
use crate::machine::expansion::after_end::resumed_after_completion;
use crate::machine::walk::Walk;

/// A machine that drops its storage with the coroutine in a box.
pub trait EndsBoxed {
    /// Drops the storage.
    ///
    /// # Safety
    ///
    /// It is called once, and the machine is not used after the call.
    unsafe fn __volt_end(&mut self);
}

/// The arguments until the first poll, then the box, and null when the coroutine has returned.
#[repr(C)]
union BoxSlot<A> {
    arguments: ManuallyDrop<A>,
    coroutine: *mut (),
}

/// Arguments `A`, then a coroutine of any size, allocated by the first poll.
///
/// It is neither `Send` nor `Sync` by itself: the machine around it declares what was proven.
#[repr(C)]
pub struct Boxed<A> {
    progress: Progress,
    slot: ManuallyDrop<UnsafeCell<BoxSlot<A>>>,
    arguments: PhantomData<(A, *mut ())>,
    pinned: PhantomPinned,
}

// A machine that has panicked is never polled again, so no code sees a state that is half written.
impl<A> RefUnwindSafe for Boxed<A> {}

impl<A> fmt::Debug for Boxed<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Boxed").field(&self.progress).finish()
    }
}

impl<A> Boxed<A> {
    /// Stores the arguments. Nothing is allocated yet.
    #[inline]
    pub const fn new(arguments: A) -> Self {
        Self {
            progress: Progress::NEW,
            slot: ManuallyDrop::new(UnsafeCell::new(BoxSlot {
                arguments: ManuallyDrop::new(arguments),
            })),
            arguments: PhantomData,
            pinned: PhantomPinned,
        }
    }

    /// Polls the coroutine, which `make` creates at the first poll.
    ///
    /// # Panics
    ///
    /// Panics if the machine has returned before, or if the coroutine panics.
    ///
    /// # Safety
    ///
    /// All calls on one value name the same `F`, lifetimes aside. The coroutine moves each argument
    /// out once, before its first await.
    #[inline]
    pub unsafe fn poll<F: Future>(
        self: Pin<&mut Self>,
        make: impl CoroutineFn<A, Progress, Coroutine = F>,
        cx: &mut Context<'_>,
        first: impl FnOnce(),
    ) -> Poll<F::Output> {
        // SAFETY: nothing is moved out: the machine is not `Unpin`, and all below is raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live; a cell may be shared.
        let progress = unsafe { &(*this).progress };
        // SAFETY: a place of a live value, without a reference to it.
        let slot = unsafe { Self::slot(this) };
        // It is live during this poll: the coroutine moves the arguments out of it.
        let mut arguments = MaybeUninit::<A>::uninit();
        let mut taken = ptr::null_mut();
        if progress.is_start() {
            first();
            // The allocation may panic: the arguments are still the slot's.
            let room = Box::<MaybeUninit<F>>::new_uninit();
            // SAFETY: N1: at the start the slot holds the arguments, which `start` below ends.
            arguments.write(unsafe { slot.cast::<A>().read() });
            // One pointer for all uses: another one would invalidate the coroutine's copy of the
            // first.
            taken = arguments.as_mut_ptr();
            progress.start(taken.cast());
            // SAFETY: N2, N5: the machine is pinned from now on.
            let input = unsafe { CoroutineInput::new(progress, taken) };
            let room: *mut F = Box::into_raw(room).cast();
            // SAFETY: the memory is that of a box of this type.
            unsafe { room.write(make.make(input)) };
            // SAFETY: the arguments are out.
            unsafe { slot.cast::<*mut ()>().write(room.cast()) };
        } else if progress.is_done() {
            resumed_after_completion();
        }
        // SAFETY: N1: not the start, and not done.
        let coroutine = unsafe { slot.cast::<*mut ()>().read() }.cast::<F>();
        // SAFETY: N1: a coroutine of this type. A box does not move its contents, and there is no
        // other reference to it.
        let polled = poll_or_poison(progress, cx, |cx| unsafe { poll_in_place(coroutine, cx) });
        if polled.is_pending() {
            progress.clear_arguments(taken.cast());
        } else {
            progress.end();
            // SAFETY: `end` has recorded that the box is gone.
            drop(unsafe { Box::from_raw(coroutine) });
        }
        polled
    }

    /// Drops the arguments or the box. The function is used only for its type.
    ///
    /// # Safety
    ///
    /// The requirements of `poll` hold, and this is the last call.
    #[inline]
    pub unsafe fn drop<F>(&mut self, _: impl CoroutineFn<A, Progress, Coroutine = F>) {
        let this: *mut Self = self;
        // SAFETY: `this` is live; a cell may be shared.
        let progress = unsafe { &(*this).progress };
        // SAFETY: a place of a live value.
        let slot = unsafe { Self::slot(this) };
        if progress.is_start() {
            // SAFETY: N1; the caller drops nothing twice.
            unsafe { slot.cast::<A>().drop_in_place() };
        } else if !progress.is_done() {
            // SAFETY: N1: a box that is not gone.
            let coroutine = unsafe { slot.cast::<*mut ()>().read() }.cast::<F>();
            // SAFETY: made by `Box::into_raw`, and dropped once.
            drop(unsafe { Box::from_raw(coroutine) });
        }
    }

    /// # Safety
    ///
    /// `this` points to a live value.
    #[inline]
    unsafe fn slot(this: *mut Self) -> *mut () {
        // SAFETY: promised by the caller; `ManuallyDrop` is transparent.
        let slot = unsafe { &raw const (*this).slot }.cast::<UnsafeCell<BoxSlot<A>>>();
        UnsafeCell::raw_get(slot).cast()
    }
}

impl<A> CoroutineStorage for Boxed<A> {
    fn stage(&self) -> MachineStage {
        self.progress.stage()
    }

    fn walk(&self, walk: &mut Walk<'_, '_>) {
        let MachineStage::Waiting(_) = self.stage() else {
            return;
        };
        // SAFETY: N1: the machine waits, so the slot holds the box.
        let base = unsafe { self.slot.get().cast::<*const ()>().read() };
        // SAFETY: a poll has exclusive access to the machine, so none is running.
        unsafe { self.progress.walk(base, walk) };
    }
}
