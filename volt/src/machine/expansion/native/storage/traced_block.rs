//! An `async` block in the body of a native machine, which records its own awaits.
//!
//! ```text
//! traced_block::<Table, _>(async {
//!     let ptr = block_ptr();                          the progress of the block
//!     AwaitOperand(..).__volt_at_site::<Table, 1, _>(ptr).await
//! })
//! ```
//!
//! A block begins with its progress, as a machine does. The first poll passes the address of the
//! progress to the first statement of the coroutine, and the awaits record their sites there. So a
//! block is inspected by the code for machines.

use core::cell::UnsafeCell;
use core::fmt;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::panic::RefUnwindSafe;
use core::pin::Pin;
use core::task::{Context, Poll};

use super::super::position::{ArgumentsPtr, MachinePtr, PositionStore, Progress, StartLink, Table};
use super::inline::poll_or_poison;
use super::machine_header::HeaderAccessor;
use super::native_storage::register_on_first_poll;
use volt_inspect::machine::Introspect;

/// An `async` block with its progress, and the table of its awaits.
#[repr(C)]
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct TracedBlock<T, C> {
    progress: Progress,
    /// A trace reads it through a shared reference to the block.
    coroutine: UnsafeCell<C>,
    table: PhantomData<fn() -> T>,
    pinned: PhantomPinned,
}

// SAFETY: through a shared reference only a trace reads the coroutine, as in a machine.
unsafe impl<T, C: Sync> Sync for TracedBlock<T, C> {}

// A block that has panicked is never polled again, so no code sees a state that is half written.
impl<T, C: RefUnwindSafe> RefUnwindSafe for TracedBlock<T, C> {}

impl<T, C> fmt::Debug for TracedBlock<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TracedBlock").field(&self.progress).finish()
    }
}

// SAFETY: it is `repr(C)`, begins with its progress, and is declared without bounds.
unsafe impl<T: Table, C> Introspect for TracedBlock<T, C> {
    type Accessor = HeaderAccessor<T, Progress>;
}

impl<T: Table, C: Future> Future for TracedBlock<T, C> {
    type Output = C::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Output> {
        // SAFETY: nothing is moved out. All code below uses raw pointers.
        let this: *mut Self = unsafe { Pin::get_unchecked_mut(self) };
        // SAFETY: `this` is live; a cell may be shared.
        let progress = unsafe { &*this.cast::<Progress>() };
        if progress.is_start() {
            register_on_first_poll::<Self>();
            progress.begin();
            StartLink::new(MachinePtr::new(this.cast_const().cast()));
        }
        // SAFETY: a place of a live value.
        let coroutine = UnsafeCell::raw_get(unsafe { &raw const (*this).coroutine });
        let poll = |cx: &mut Context<'_>| {
            // SAFETY: nothing else has a reference to the coroutine during a poll.
            let coroutine = unsafe { &mut *coroutine };
            // SAFETY: the coroutine is pinned because the block is.
            unsafe { Pin::new_unchecked(coroutine) }.poll(cx)
        };
        let polled = poll_or_poison(progress, cx, poll);
        if polled.is_ready() {
            progress.end();
        }
        polled
    }
}

/// Returns a block that records its awaits in the states of a table.
#[inline]
pub fn traced_block<T: Table, C: Future>(coroutine: C) -> TracedBlock<T, C> {
    TracedBlock {
        progress: Progress::NEW,
        coroutine: UnsafeCell::new(coroutine),
        table: PhantomData,
        pinned: PhantomPinned,
    }
}

/// Returns the pointer of a block. The first poll of the block calls it once, before any other code
/// of the coroutine.
///
/// # Panics
///
/// Panics in any other place.
#[inline]
#[must_use]
pub fn block_ptr() -> ArgumentsPtr<'static, ()> {
    let machine = StartLink.receive();
    assert!(!machine.get().is_null(), "not at the start of a block");
    ArgumentsPtr::of_block(machine)
}
