//! Foreign polls: the schedulers for which this thread polls a task without being one of their
//! workers.
//!
//! A scheduler shuts down after such polls end. So a thread that shuts it down within one of them
//! must not wait for that poll.

use std::cell::RefCell;
use std::num::NonZeroUsize;

use crate::loom::thread_local_const;

thread_local_const! {
    static HERE: RefCell<Vec<NonZeroUsize>> = RefCell::new(Vec::new());
}

/// Calls `run`, in which a task of that runtime is polled.
pub(crate) fn poll_as_foreign(runtime_id: NonZeroUsize, run: impl FnOnce()) {
    // During the destructors of thread-locals the list may be gone; then the poll is not recorded.
    let pushed = HERE
        .try_with(|here| here.borrow_mut().push(runtime_id))
        .is_ok();
    let _gone = ForeignPollGuard(pushed);
    run();
}

/// Returns the runtimes of the tasks that this thread polls as a foreign thread.
pub(crate) fn foreign_polls() -> Vec<NonZeroUsize> {
    HERE.try_with(|here| here.borrow().clone())
        .unwrap_or_default()
}

/// Removes the newest entry when it is dropped, also by a panic.
struct ForeignPollGuard(bool);

impl Drop for ForeignPollGuard {
    fn drop(&mut self) {
        if self.0 {
            let _ = HERE.try_with(|here| here.borrow_mut().pop());
        }
    }
}
