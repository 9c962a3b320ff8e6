//! An `async` block in the body of a native machine, which stores only its coroutine.
//!
//! ```text
//! compact_block::<Table, _>(async {
//!     let ptr = compact_block_ptr();
//!     AwaitOperand(..).__volt_compact::<Table, 1, _>(ptr).await
//! })
//! ```
//!
//! A block has its captured values from the beginning. So the tag of its coroutine is the stage of
//! the block, and its suspend point, as in a machine.

use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::coroutine::{CompactLayout, poll_in_place};
use super::super::position::CompactPtr;
use super::super::storage::register_on_first_poll;
use super::compact_accessor::CoroutineAccessor;
use super::compact_machine::poll_recorded;
use super::compact_storage::Place;
use super::suspend_table::{SlotsOf, SuspendTable};
use volt_inspect::machine::Introspect;

/// An `async` block with the table of its awaits.
#[repr(C)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct CompactBlock<T, C> {
    /// A trace reads it through a shared reference to the block.
    coroutine: UnsafeCell<C>,
    table: PhantomData<fn() -> T>,
    pinned: PhantomPinned,
}

// SAFETY: through a shared reference only a trace reads the coroutine, as in a machine.
unsafe impl<T, C: Sync> Sync for CompactBlock<T, C> {}

// A block that has panicked is never polled again, so no code sees a state that is half written.
impl<T, C: RefUnwindSafe> RefUnwindSafe for CompactBlock<T, C> {}

impl<T, C> fmt::Debug for CompactBlock<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompactBlock").finish_non_exhaustive()
    }
}

// SAFETY: it is `repr(C)`, begins with its coroutine, and is declared without bounds.
unsafe impl<T: SuspendTable, C> Introspect for CompactBlock<T, C> {
    type Accessor = CoroutineAccessor<T, C>;
}

impl<T: SuspendTable, C: Future> Future for CompactBlock<T, C> {
    type Output = C::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        // SAFETY: nothing is moved out. All code below uses raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        let layout = const { CompactLayout::of_coroutine::<C>(false) };
        let place = Place::at(this.cast(), layout);
        // SAFETY: the coroutine is live.
        if unsafe { place.may_be_new() } {
            register_on_first_poll::<Self>();
        }
        // SAFETY: it is the first field, and pinned because the block is.
        let poll = |cx: &mut Context<'_>| unsafe { poll_in_place(this.cast::<C>(), cx) };
        let block = (this.cast(), size_of::<C>());
        // SAFETY: the coroutine is there.
        unsafe { poll_recorded::<T, SlotsOf<C, T>, _>(place, block, cx, poll) }
    }
}

/// Returns a block that records its awaits in the states of a table.
#[inline]
pub const fn compact_block<T: SuspendTable, C: Future>(coroutine: C) -> CompactBlock<T, C> {
    CompactBlock {
        coroutine: UnsafeCell::new(coroutine),
        table: PhantomData,
        pinned: PhantomPinned,
    }
}

/// Returns the value that marks the awaits of a block.
#[inline]
#[must_use]
pub const fn compact_block_ptr() -> CompactPtr<'static, ()> {
    CompactPtr::OF_BLOCK
}
