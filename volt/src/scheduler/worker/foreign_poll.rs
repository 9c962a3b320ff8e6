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

/// Records that this thread polls a task of a runtime. The drop removes the newest record.
#[must_use = "the record is removed when this is dropped"]
pub(crate) struct ForeignPollRecord {
    is_in_list: bool,
}

impl ForeignPollRecord {
    pub(crate) fn new(runtime_id: NonZeroUsize) -> Self {
        // During the destructors of thread-locals the list may be gone. The poll is not recorded
        // then.
        let pushed = HERE.try_with(|here| here.borrow_mut().push(runtime_id));
        Self {
            is_in_list: pushed.is_ok(),
        }
    }
}

impl Drop for ForeignPollRecord {
    fn drop(&mut self) {
        if self.is_in_list {
            let _ = HERE.try_with(|here| here.borrow_mut().pop());
        }
    }
}

/// Returns the runtimes of the tasks that this thread polls as a foreign thread.
pub(crate) fn foreign_polls() -> Vec<NonZeroUsize> {
    HERE.try_with(|here| here.borrow().clone())
        .unwrap_or_default()
}
