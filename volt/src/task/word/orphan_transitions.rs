//! The transitions that detect, mark and cancel an orphan: a task that waits without a waker.
//!
//! Once `ORPHANED` is set, no worker polls the future again. It has no waker, and a waker is only
//! created during such a poll. An inspection poll of an orphan creates none.

use super::outcome::{Cancel, DropWaker};
use super::snapshot::{CancelOrphans, Lifecycle, Snapshot, flag};
use super::state_word::StateWord;

impl StateWord {
    /// Drops the reference of a waker. If it was the last waker of an idle task, the caller gets
    /// the task, and reports it as an orphan.
    #[inline]
    pub(in crate::task) fn drop_waker(&self) -> DropWaker {
        self.update(|now| {
            let next = now.fewer_refs();
            if now.is_idle_with_one_waker() {
                return (
                    DropWaker::Orphaned,
                    Some(next.in_lifecycle(Lifecycle::Running)),
                );
            }
            match now.refs() {
                1 => (DropWaker::Dealloc, Some(next)),
                _ => (DropWaker::Done, Some(next)),
            }
        })
    }

    /// Marks the running task as an orphan. If the policy `cancel` covers it, the same step
    /// cancels it, shielded or not.
    #[cold]
    pub(in crate::task) fn mark_orphaned(&self, cancel: CancelOrphans) {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let is_cancelled = match cancel {
                CancelOrphans::Never => false,
                CancelOrphans::Detached => !now.has(flag::JOIN_INTEREST),
                CancelOrphans::Always => true,
            };
            let flags = if is_cancelled {
                flag::ORPHANED | flag::CANCELLED | flag::FORCE_CANCELLED
            } else {
                flag::ORPHANED
            };
            ((), Some(now.with(flags)))
        });
    }

    /// Cancels the task, shielded or not, if it is marked as an orphan.
    pub(in crate::task) fn cancel_orphan(&self) -> Cancel {
        self.force_cancel_if(|now| now.has(flag::ORPHANED))
    }

    /// Cancels the task, shielded or not.
    pub(in crate::task) fn force_cancel(&self) -> Cancel {
        self.force_cancel_if(|_| true)
    }

    fn force_cancel_if(&self, condition: impl Fn(Snapshot) -> bool) -> Cancel {
        self.update(|now| {
            if now.is_complete() || now.has(flag::FORCE_CANCELLED) || !condition(now) {
                return (Cancel::Nothing, None);
            }
            let next = now.with(flag::CANCELLED | flag::FORCE_CANCELLED);
            match now.lifecycle() {
                Lifecycle::Idle => (
                    Cancel::Submit,
                    Some(next.in_lifecycle(Lifecycle::Scheduled)),
                ),
                _ => (Cancel::Flagged, Some(next)),
            }
        })
    }
}
