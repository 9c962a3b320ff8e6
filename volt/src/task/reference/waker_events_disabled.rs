//! What `waker_events.rs` offers, for builds without the feature `tracing`: nothing happens.

use super::raw_task::RawTask;

#[inline]
pub(in crate::task) fn cloned(_task: &RawTask) {}

#[inline]
pub(in crate::task) fn woken(_task: &RawTask) {}

#[inline]
pub(super) fn woken_by_ref(_task: &RawTask) {}

#[inline]
pub(in crate::task) fn dropped(_task: &RawTask) {}
