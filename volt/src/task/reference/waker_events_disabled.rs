//! The functions of `waker_events.rs` without the feature `tracing`: they do nothing.

use super::raw_task::RawTask;

#[inline]
pub(in crate::task) fn cloned(_task: &RawTask) {}

#[inline]
pub(in crate::task) fn woken(_task: &RawTask) {}

#[inline]
pub(super) fn woken_by_ref(_task: &RawTask) {}

#[inline]
pub(in crate::task) fn dropped(_task: &RawTask) {}
