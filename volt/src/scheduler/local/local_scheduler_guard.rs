//! The local schedulers that are pinned to this thread.
//!
//! Their tasks run on this thread only. If the thread blocked until one of them is complete, it
//! would block forever.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::rc::Rc;

use crate::loom::thread_local_const;

thread_local_const! {
    static HERE: RefCell<Vec<NonZeroUsize>> = RefCell::new(Vec::new());
}

/// A guard for the time during which a scheduler is pinned to this thread.
#[derive(Debug)]
pub(crate) struct LocalSchedulerGuard {
    runtime_id: NonZeroUsize,
    _stays: PhantomData<Rc<()>>,
}

impl LocalSchedulerGuard {
    pub(crate) fn new(runtime_id: NonZeroUsize) -> Self {
        // During the destructors of thread-locals the list may be gone; then a join is not refused.
        let _ = HERE.try_with(|here| here.borrow_mut().push(runtime_id));
        Self {
            runtime_id,
            _stays: PhantomData,
        }
    }
}

impl Drop for LocalSchedulerGuard {
    fn drop(&mut self) {
        // The list of a thread that ends may be gone.
        let _ = HERE.try_with(|here| {
            here.borrow_mut()
                .retain(|runtime_id| *runtime_id != self.runtime_id)
        });
    }
}

/// Returns `true` if tasks of that runtime run on this thread only.
pub(crate) fn is_pinned_to_this_thread(runtime_id: NonZeroUsize) -> bool {
    HERE.try_with(|here| here.borrow().contains(&runtime_id)) == Ok(true)
}
