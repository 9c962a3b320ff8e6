//! The task itself: header, scheduler, metadata and stage in one allocation.
//!
//! ```text
//!   0 +------------+
//!     | state      |  8   the word
//!     | vtable     |  8
//!     | id         |  8
//!     | polls      |  4
//!     | since      |  4
//!     | join waker | 16   its owner: see the join_waker bit
//!  48 +------------+
//!     | scheduler  |  8   an `Arc`, as a rule
//!     | metadata   |  8   the spawn location
//!  64 +------------+
//!     | stage      |      the future, then its output or its failure
//!     +------------+
//! ```
//!
//! The stage is a union without a tag. The state word, and the phase of the owner, determine which
//! of the three it contains.

use crate::loom::cell::UnsafeCell;
use crate::task::error::Failure;
use crate::task::reference::{Erased, Header, RawTask, Vtable};
use crate::task::word::ResultKind;
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
    /// Allocates a task, and writes each field in its place. Without optimisation, a value that is
    /// built on the stack is copied there several times, and futures may be large.
    #[inline]
    pub(in crate::task) fn allocate(
        future: F,
        scheduler: S,
        metadata: M,
        vtable: &'static Vtable,
    ) -> NonNull<Self> {
        let header = Header::new(vtable, crate::task::current_task::clock());
        let cell = Box::leak(Box::<Self>::new_uninit()).as_mut_ptr();
        // SAFETY: The box is new, and no other thread has its address.
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
        // SAFETY: The stage is uninitialised memory of the box.
        unsafe { Stage::begin(stage, future) };
        // SAFETY: The address of a box is not null.
        unsafe { NonNull::new_unchecked(cell) }
    }
}

/// A pointer to a task of known types. Its methods require a reference, which keeps the task alive.
pub(super) struct TypedTask<F: Future, S, M>(NonNull<Cell<F, S, M>>);

impl<F: Future, S, M> TypedTask<F, S, M> {
    /// # Safety
    ///
    /// - The task has these types, and all [`RawTask`]s that are passed to the methods are
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
    /// - The caller owns the last reference, and the stage is empty.
    pub(in crate::task) unsafe fn free(self) {
        // SAFETY: The task was allocated as a box, and the caller owns the last reference.
        let cell = unsafe { Box::from_raw(self.0.as_ptr()) };
        // A model checks here that no other access runs at the same time.
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
/// All methods require that the stage belongs to the caller (I2, I3), and contains the value that
/// the method accesses.
impl<F: Future> Stage<F> {
    /// Initialises a stage with the future.
    #[inline]
    unsafe fn begin(stage: *mut Self, future: F) {
        // SAFETY: The memory belongs to the caller. Outside of models, the cell and the union have
        // the layout of their content.
        #[cfg(not(loom))]
        unsafe {
            stage.cast::<F>().write(future);
        }
        #[cfg(loom)]
        {
            let future = ManuallyDrop::new(future);
            // SAFETY: The memory belongs to the caller.
            unsafe { stage.write(Self(UnsafeCell::new(Content { future }))) };
        }
    }

    #[inline]
    pub(super) unsafe fn poll_future(&self, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.0.with_mut(|content| {
            // SAFETY: The stage contains the future, and the caller has exclusive access.
            let future = unsafe { &mut *content.cast::<F>() };
            // SAFETY: I6: the future does not move before it is dropped in place.
            let future = unsafe { Pin::new_unchecked(future) };
            future.poll(cx)
        })
    }

    /// Drops the future in place. The stage is empty afterwards, even if the destructor panics.
    #[inline]
    pub(super) unsafe fn drop_future(&self) {
        self.0.with_mut(|content| {
            // SAFETY: The stage contains the future, which is not used again.
            unsafe { ptr::drop_in_place(content.cast::<F>()) };
        });
    }

    /// Stores the result in an empty stage.
    #[inline]
    pub(in crate::task) unsafe fn put(&self, result: Result<F::Output, Failure>) {
        // A `Content` is as large as the future, and would be copied on the stack.
        self.0.with_mut(|content| match result {
            // SAFETY: The stage belongs to the caller, and is empty.
            Ok(output) => unsafe { content.cast::<F::Output>().write(output) },
            // SAFETY: As for the output.
            Err(failure) => unsafe { content.cast::<Failure>().write(failure) },
        });
    }

    /// Moves the output or the failure out, and leaves the stage empty.
    #[inline]
    pub(in crate::task) unsafe fn take(&self, kind: ResultKind) -> Result<F::Output, Failure> {
        self.0.with_mut(|content| match kind {
            // SAFETY: The stage contains the output, which is not used again.
            ResultKind::Output => Ok(unsafe { content.cast::<F::Output>().read() }),
            // SAFETY: The stage contains the failure, which is not used again.
            ResultKind::Failure => Err(unsafe { content.cast::<Failure>().read() }),
        })
    }

    /// Calls `access` with the future, pinned as for a poll. A shared reference would invalidate
    /// the references that the future has into itself.
    pub(super) unsafe fn with_future<R>(&self, access: impl FnOnce(Pin<&mut F>) -> R) -> R {
        self.0.with_mut(|content| {
            // SAFETY: The stage contains the future, and the caller has exclusive access.
            let future = unsafe { &mut *content.cast::<F>() };
            // SAFETY: I6, as in `poll_future`.
            access(unsafe { Pin::new_unchecked(future) })
        })
    }
}

// SAFETY: All access to the content goes through unsafe methods, whose callers uphold I2 and I3.
unsafe impl<F: Future> Sync for Stage<F> {}
