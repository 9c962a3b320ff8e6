//! Actions that run after the lock of the group state is released.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::task::Waker;
use std::thread;
use std::vec::Vec;

use super::error::Payload;
use super::member::Member;
use crate::loom::sync::Arc;

/// Children and tasks to wake, and values to drop, without the lock of the group state.
///
/// A waker may panic, and so may a destructor. All actions run in any case; the first panic is
/// resumed after them.
#[must_use = "children and tasks wait for these actions"]
pub(super) struct DeferredActions<U> {
    pub(super) cancelled: Vec<Arc<Member>>,
    pub(super) granted: Option<Arc<Member>>,
    pub(super) waiter: Option<Waker>,
    pub(super) dropped: U,
}

impl<U> DeferredActions<U> {
    pub(super) fn run(self) {
        // All members are cancelled before the first is woken, because it may check the others.
        self.cancelled.iter().for_each(|member| member.cancel());
        let mut first = None;
        for member in self.granted.into_iter().chain(self.cancelled) {
            run_catching(&mut first, || member.wake());
        }
        if let Some(waiter) = self.waiter {
            run_catching(&mut first, || waiter.wake());
        }
        let dropped = self.dropped;
        run_catching(&mut first, || drop(dropped));
        // A second panic during unwinding would abort the program.
        if let Some(payload) = first
            && !thread::panicking()
        {
            resume_unwind(payload);
        }
    }
}

impl<U> DeferredActions<U> {
    /// Cancels and wakes these members, then drops a value.
    pub(super) fn stop(cancelled: Vec<Arc<Member>>, dropped: U) {
        Self {
            cancelled,
            granted: None,
            waiter: None,
            dropped,
        }
        .run();
    }
}

/// Runs an action, and stores its panic if it is the first one.
fn run_catching(first: &mut Option<Payload>, action: impl FnOnce()) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(action)) else {
        return;
    };
    match first {
        None => *first = Some(payload),
        // The drop of the payload may panic too.
        Some(_) => mem::forget(payload),
    }
}
