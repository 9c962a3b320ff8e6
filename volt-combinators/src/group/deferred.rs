//! What is left to do when the books are closed again.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::task::Waker;
use std::thread;
use std::vec::Vec;

use super::error::Payload;
use super::member::Member;
use crate::loom::sync::Arc;

/// Who has to hear of something, and what has to be dropped, outside of the ledger's lock.
///
/// A waker may panic, and so may the destructor of what nobody wants. That keeps nobody else from
/// what they are waiting for: the first panic goes on when all is done.
#[must_use = "somebody waits for this"]
pub(super) struct DeferredActions<U> {
    pub(super) cancelled: Vec<Arc<Member>>,
    pub(super) granted: Option<Arc<Member>>,
    pub(super) waiter: Option<Waker>,
    pub(super) unwanted: U,
}

impl<U> DeferredActions<U> {
    pub(super) fn run(self) {
        // All are asked before the first is woken, who may look at the others.
        self.cancelled.iter().for_each(|member| member.cancel());
        let mut first = None;
        for member in self.granted.into_iter().chain(self.cancelled) {
            attempt(&mut first, || member.wake());
        }
        if let Some(waiter) = self.waiter {
            attempt(&mut first, || waiter.wake());
        }
        let unwanted = self.unwanted;
        attempt(&mut first, || drop(unwanted));
        // A second panic while another one unwinds would end the program.
        if let Some(payload) = first
            && !thread::panicking()
        {
            resume_unwind(payload);
        }
    }
}

impl<U> DeferredActions<U> {
    /// Asks these to stop, and drops what nobody wants.
    pub(super) fn stop(cancelled: Vec<Arc<Member>>, unwanted: U) {
        Self {
            cancelled,
            granted: None,
            waiter: None,
            unwanted,
        }
        .run();
    }
}

/// Does one thing, and keeps its panic if that is the first.
fn attempt(first: &mut Option<Payload>, action: impl FnOnce()) {
    let Err(payload) = catch_unwind(AssertUnwindSafe(action)) else {
        return;
    };
    match first {
        None => *first = Some(payload),
        // Dropped, it might panic too.
        Some(_) => mem::forget(payload),
    }
}
