//! The conversion of an entry to a raw pointer and back.

use super::{RunOutcome, Runnable};
use crate::task::new_task;
use crate::task::{Schedule, TaskId};
use std::panic::Location;

struct Nowhere;

impl Schedule for Nowhere {
    fn schedule(&self, _: Runnable) {}
    fn release(&self, _: TaskId) {}
}

#[test]
fn raw_pointer_carries_the_entry() {
    let (task, handle) = new_task(async { 1 }, Nowhere, Location::caller());
    let raw = task.into_raw();
    // SAFETY: `raw` was returned by `into_raw`, and is used once.
    let task = unsafe { Runnable::from_raw(raw) };
    assert_eq!(task.id(), handle.id());
    assert!(matches!(task.run(), RunOutcome::Complete));
    assert_eq!(futures_lite::future::block_on(handle).unwrap(), 1);
}
