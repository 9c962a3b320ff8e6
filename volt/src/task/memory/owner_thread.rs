//! The thread that the future of a task is bound to, if the future is not `Send`.
//!
//! The task, its wakers and its handles may move to any thread. The future in it may not: it is
//! only polled and dropped on its own thread.
//!
//! Such a task may nevertheless end on another thread. For example, the executor is dropped, and
//! the schedule function drops the runnable on the thread that called the waker. The future cannot
//! be dropped there. Its memory cannot be reused either, because other code may point into the
//! pinned future. So the future is *abandoned*: its stage is not written again, and the task is not
//! freed.
//!
//! # Invariants
//!
//! - **L1** The future is accessed only on the thread that created the `OwnerThread`. The id of a
//!   thread is never reused.
//! - **L2** Once the future is abandoned, the stage is neither read nor written, and one reference
//!   to the task is never dropped.

use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::thread::{self, ThreadId};
use crate::util::Payload;
use std::panic::Location;

/// The thread that a future is bound to, and a flag that is set when the future is abandoned.
#[derive(Debug)]
pub(crate) struct OwnerThread {
    id: ThreadId,
    abandoned: AtomicBool,
}

impl OwnerThread {
    /// Binds a future to this thread.
    #[cfg(not(loom))]
    pub(in crate::task) fn current() -> Self {
        Self {
            id: thread::current().id(),
            abandoned: AtomicBool::new(false),
        }
    }

    /// Returns `true` on the thread that the future is bound to.
    pub(super) fn is_current(&self) -> bool {
        self.id == thread::current().id()
    }

    /// Marks the future as abandoned. The runner calls this before it completes the task.
    pub(super) fn abandon(&self) {
        // ORDERING: Relaxed, here and below: the step to COMPLETE publishes it to the handle.
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the future was abandoned. For the owner of the stage of a complete task.
    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// Returns the panic message of a task whose future was abandoned.
pub(in crate::task) fn abandoned_message(spawned_at: &Location<'_>) -> String {
    format!(
        "a task that stays on its thread was run or ended on another one: its future is leaked; it \
         was spawned at {spawned_at}"
    )
}

/// Returns the same message as the payload of a panic.
pub(in crate::task) fn abandoned_payload(spawned_at: &Location<'_>) -> Payload {
    Box::new(abandoned_message(spawned_at))
}
