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

use super::error::{Failure, JoinError};
use super::header::{Header, Vtable};
use super::id::TaskId;
use crate::loom::cell::UnsafeCell;
use std::future::Future;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::ptr;
use std::task::{Context, Poll};

/// A task with its types.
#[repr(C)]
pub(super) struct Cell<F: Future, S, M> {
    pub(super) header: Header,
    pub(super) scheduler: S,
    pub(super) metadata: M,
    pub(super) stage: Stage<F>,
}

impl<F: Future, S, M> Cell<F, S, M> {
    pub(super) fn new(future: F, scheduler: S, metadata: M, vtable: &'static Vtable) -> Self {
        let since = super::context::clock();
        Self {
            header: Header::new(vtable, since),
            scheduler,
            metadata,
            stage: Stage::new(future),
        }
    }
}

/// The future, its output, its failure, or nothing.
pub(super) struct Stage<F: Future>(UnsafeCell<Content<F>>);

union Content<F: Future> {
    future: ManuallyDrop<F>,
    output: ManuallyDrop<F::Output>,
    failure: ManuallyDrop<Failure>,
}

/// # Safety
///
/// All methods want the stage to be the caller's (I2, I3), and to hold what their name says.
impl<F: Future> Stage<F> {
    fn new(future: F) -> Self {
        Self(UnsafeCell::new(Content {
            future: ManuallyDrop::new(future),
        }))
    }

    #[inline]
    pub(super) unsafe fn poll_future(&self, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.0.with_mut(|content| {
            // SAFETY: It holds the future, and nobody else is at it.
            let future: &mut F = unsafe { &mut (*content).future };
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
            unsafe { ptr::drop_in_place((&raw mut (*content).future).cast::<F>()) };
        });
    }

    #[inline]
    pub(super) unsafe fn put_output(&self, output: F::Output) {
        self.put(Content {
            output: ManuallyDrop::new(output),
        });
    }

    pub(super) unsafe fn put_failure(&self, failure: Failure) {
        self.put(Content {
            failure: ManuallyDrop::new(failure),
        });
    }

    #[inline]
    fn put(&self, new: Content<F>) {
        self.0.with_mut(|content| {
            // SAFETY: The stage is the caller's, and empty.
            unsafe { content.write(new) };
        });
    }

    /// Moves the output or the failure out.
    #[inline]
    pub(super) unsafe fn take(&self, failed: bool, id: TaskId) -> Result<F::Output, JoinError> {
        self.0.with_mut(|content| {
            if failed {
                // SAFETY: It holds the failure, which is not used again.
                let failure = unsafe { ManuallyDrop::take(&mut (*content).failure) };
                return Err(JoinError::new(id, failure));
            }
            // SAFETY: It holds the output, which is not used again.
            Ok(unsafe { ManuallyDrop::take(&mut (*content).output) })
        })
    }
}

// SAFETY: All access to the content goes through unsafe methods, whose callers keep I2 and I3.
unsafe impl<F: Future> Sync for Stage<F> {}
