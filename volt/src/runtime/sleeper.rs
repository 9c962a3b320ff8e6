//! A thread that sleeps until it is called.

use std::task::{Wake, Waker};

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::loom::thread::{self, Thread};

/// The thread that made it, for one sleep after the other.
#[derive(Debug)]
pub(super) struct Sleeper {
    call: Arc<Call>,
    waker: Waker,
}

#[derive(Debug)]
struct Call {
    thread: Thread,
    called: AtomicBool,
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: Release, pairs with the Acquire in `sleep`: what the caller did is seen.
        self.called.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

impl Sleeper {
    pub(super) fn new() -> Self {
        let call = Arc::new(Call {
            thread: thread::current(),
            called: AtomicBool::new(false),
        });
        let waker = Waker::from(Arc::clone(&call));
        Self { call, waker }
    }

    /// Calls it.
    pub(super) fn waker(&self) -> &Waker {
        &self.waker
    }

    /// Sleeps until it was called since the last time.
    pub(super) fn sleep(&self) {
        // ORDERING: Acquire, pairs with the Release in `wake_by_ref`.
        while !self.call.called.swap(false, Ordering::Acquire) {
            thread::park();
        }
    }
}
