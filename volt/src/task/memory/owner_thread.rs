//! The thread that a task's future stays on, if it is not `Send`.
//!
//! A task's wakers and handles go to any thread, and so does the task. What may not is the future
//! in it: it is polled and dropped on its own thread only.
//!
//! A task may end on another thread all the same: its executor is gone, say, and the schedule
//! function drops the runnable on the thread that called the waker. The future cannot be dropped
//! there. It cannot be forgotten either, as others may point to what is pinned in it. So it is
//! *abandoned*: its stage is never written again, and its task never freed.
//!
//! # Invariants
//!
//! - **L1** The future is touched only on the thread that made this. Threads have one id each, which
//!   is never used again.
//! - **L2** Once the task is abandoned, its stage is neither read nor written, and one reference to
//!   the task is never given back.

use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::thread::{self, ThreadId};
use crate::task::error::Payload;
use std::panic::Location;

/// The thread that a future stays on, and whether the future was abandoned elsewhere.
#[derive(Debug)]
pub(crate) struct OwnerThread {
    id: ThreadId,
    abandoned: AtomicBool,
}

impl OwnerThread {
    /// This thread.
    #[cfg(not(loom))]
    pub(in crate::task) fn current() -> Self {
        Self {
            id: thread::current().id(),
            abandoned: AtomicBool::new(false),
        }
    }

    /// Whether this is the thread.
    pub(super) fn is_here(&self) -> bool {
        self.id == thread::current().id()
    }

    /// For the runner of the task, before it completes it.
    pub(super) fn abandon(&self) {
        // ORDERING: Relaxed, here and below: the step to COMPLETE publishes it to the handle.
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// For whoever has the stage once the task is complete.
    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// What the handle of such a task is told, and the panic hook.
pub(in crate::task) fn reason(spawned_at: &Location<'_>) -> String {
    format!(
        "a task that stays on its thread was run or ended on another one: its future is leaked; it \
         was spawned at {spawned_at}"
    )
}

/// The same, as the payload of a panic.
pub(in crate::task) fn payload(spawned_at: &Location<'_>) -> Payload {
    Box::new(reason(spawned_at))
}
