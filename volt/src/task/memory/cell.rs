//! The task itself: header, scheduler, metadata and stage in one allocation.
//!
//! ```text
//!   0 +------------+
//!     | state      |  8   the word
//!     | vtable     |  8
//!     | id         |  8
//!     | polls      |  4
//!     | since      |  4
//!     | join waker | 16   whose it is: the join_waker bit
//!  48 +------------+
//!     | scheduler  |  8   an `Arc`, as a rule
//!     | metadata   |  8   where it was spawned
//!  64 +------------+
//!     | stage      |      the future, then its output or its failure
//!     +------------+
//! ```
//!
//! The stage is a union: which of the three it holds is said by the state word, and by whose
//! turn it is. There is no tag to keep.

use crate::loom::cell::UnsafeCell;
use crate::task::error::Failure;
use crate::task::reference::{Erased, Header, RawTask, Vtable};
use std::future::Future;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::ptr::{self, NonNull};
use std::task::{Context, Poll};

/// A task with its types.
#[repr(C)]
#[doc(alias = "FutureTask")]
pub(in crate::task) struct Cell<F: Future, S, M> {
    pub(in crate::task) header: Header,
    pub(in crate::task) scheduler: S,
    pub(in crate::task) metadata: M,
    pub(super) stage: Stage<F>,
}

impl<F: Future, S, M> Cell<F, S, M> {
    /// Allocates a task. Each part is written where it stays: without optimisation a value that is
    /// built elsewhere is copied on the stack, several times, and futures may be large.
    #[inline]
    pub(in crate::task) fn allocate(
        future: F,
        scheduler: S,
        metadata: M,
        vtable: &'static Vtable,
    ) -> NonNull<Self> {
        let header = Header::new(vtable, crate::task::current_task::clock());
        let cell = Box::leak(Box::<Self>::new_uninit()).as_mut_ptr();
        // SAFETY: The box is new, and nobody else has it.
        let place = unsafe { &raw mut (*cell).header };
        // SAFETY: As above.
        unsafe { place.write(header) };
        // SAFETY: As above.
        let place = unsafe { &raw mut (*cell).scheduler };
        // SAFETY: As above.
        unsafe { place.write(scheduler) };
        // SAFETY: As above.
        let place = unsafe { &raw mut (*cell).metadata };
        // SAFETY: As above.
        unsafe { place.write(metadata) };
        // SAFETY: As above.
        let stage = unsafe { &raw mut (*cell).stage };
        // SAFETY: As above; all parts are there now.
        unsafe { Stage::begin(stage, future) };
        // SAFETY: The address of a box.
        unsafe { NonNull::new_unchecked(cell) }
    }
}

/// A pointer to a task whose types are known. Whoever looks through it shows a reference.
pub(super) struct TypedTask<F: Future, S, M>(NonNull<Cell<F, S, M>>);

impl<F: Future, S, M> TypedTask<F, S, M> {
    /// # Safety
    ///
    /// - The task is of these types, and all [`RawTask`]s that are shown to the result are
    ///   references to it.
    #[inline]
    pub(in crate::task) unsafe fn new(task: Erased) -> Self {
        Self(task.cast())
    }

    #[inline]
    pub(in crate::task) fn stage<'a>(&self, _alive: &'a RawTask) -> &'a Stage<F> {
        // SAFETY: I1.
        unsafe { &(*self.0.as_ptr()).stage }
    }

    #[inline]
    pub(in crate::task) fn scheduler<'a>(&self, _alive: &'a RawTask) -> &'a S {
        // SAFETY: I1.
        unsafe { &(*self.0.as_ptr()).scheduler }
    }

    pub(in crate::task) fn metadata<'a>(&self, _alive: &'a RawTask) -> &'a M {
        // SAFETY: I1.
        unsafe { &(*self.0.as_ptr()).metadata }
    }

    /// Frees the task.
    ///
    /// # Safety
    ///
    /// - Nobody else is left, and the stage is empty.
    pub(in crate::task) unsafe fn free(self) {
        // SAFETY: It was allocated as a box, and nobody else is left.
        let cell = unsafe { Box::from_raw(self.0.as_ptr()) };
        // To a model this is an access that none may run beside.
        cell.stage.0.with_mut(|_| {});
    }
}

/// The future, its output, its failure, or nothing.
#[repr(transparent)]
pub(super) struct Stage<F: Future>(UnsafeCell<Content<F>>);

#[repr(C)]
union Content<F: Future> {
    future: ManuallyDrop<F>,
    output: ManuallyDrop<F::Output>,
    failure: ManuallyDrop<Failure>,
}

/// # Safety
///
/// All methods want the stage to be the caller's (I2, I3), and to hold what their name says.
impl<F: Future> Stage<F> {
    /// Begins with the future, at a place where nothing is yet.
    #[inline]
    unsafe fn begin(stage: *mut Self, future: F) {
        // SAFETY: The place is the caller's. But for a model's, a cell is what is in it, and so are
        // the fields of the content.
        #[cfg(not(loom))]
        unsafe {
            stage.cast::<F>().write(future);
        }
        #[cfg(loom)]
        {
            let future = ManuallyDrop::new(future);
            // SAFETY: The place is the caller's.
            unsafe { stage.write(Self(UnsafeCell::new(Content { future }))) };
        }
    }

    #[inline]
    pub(super) unsafe fn poll_future(&self, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.0.with_mut(|content| {
            // SAFETY: It holds the future, and nobody else is at it.
            let future = unsafe { &mut *content.cast::<F>() };
            // SAFETY: I6: the future stays where it is until it is dropped in place.
            let future = unsafe { Pin::new_unchecked(future) };
            future.poll(cx)
        })
    }

    /// Drops the future in place. The stage is empty afterwards, also when that panics.
    #[inline]
    pub(super) unsafe fn drop_future(&self) {
        self.0.with_mut(|content| {
            // SAFETY: It holds the future, which is not used again.
            unsafe { ptr::drop_in_place(content.cast::<F>()) };
        });
    }

    /// Fills an empty stage.
    #[inline]
    pub(in crate::task) unsafe fn put(&self, result: Result<F::Output, Failure>) {
        // Not as a `Content`: that is as large as the future, and would be copied on the stack.
        self.0.with_mut(|content| match result {
            // SAFETY: The stage is the caller's, and empty.
            Ok(output) => unsafe { content.cast::<F::Output>().write(output) },
            // SAFETY: As above.
            Err(failure) => unsafe { content.cast::<Failure>().write(failure) },
        });
    }

    /// Moves the output or the failure out, which leaves the stage empty.
    #[inline]
    pub(in crate::task) unsafe fn take(&self, failed: bool) -> Result<F::Output, Failure> {
        self.0.with_mut(|content| match failed {
            // SAFETY: It holds the failure, which is not used again.
            true => Err(unsafe { content.cast::<Failure>().read() }),
            // SAFETY: It holds the output, which is not used again.
            false => Ok(unsafe { content.cast::<F::Output>().read() }),
        })
    }

    /// Lends the future to `look`, pinned as it is for a poll: a shared reference would invalidate
    /// those that the future has into itself.
    pub(super) unsafe fn with_future<R>(&self, look: impl FnOnce(Pin<&mut F>) -> R) -> R {
        self.0.with_mut(|content| {
            // SAFETY: It holds the future, and nobody else is at it.
            let future = unsafe { &mut *content.cast::<F>() };
            // SAFETY: I6, as in `poll_future`.
            look(unsafe { Pin::new_unchecked(future) })
        })
    }
}

// SAFETY: All access to the content goes through unsafe methods, whose callers keep I2 and I3.
unsafe impl<F: Future> Sync for Stage<F> {}
