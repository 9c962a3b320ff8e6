//! The steps that find, mark and end a task which nobody can wake.
//!
//! Once `ORPHANED` is set the future is never polled again: no waker is there, and none can be
//! made without a poll.

use super::outcome::{Cancel, DropWaker};
use super::snapshot::{CancelOrphans, Lifecycle, Snapshot, flag};
use super::state_word::State;

impl State {
    /// A waker leaves. The last one of a task that waits takes the task along, to tell of it.
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

    /// The running task is one that nobody can wake, which will be said once; where `ending` says
    /// so, it is cancelled as well, shielded or not.
    #[cold]
    pub(in crate::task) fn mark_orphaned(&self, ending: CancelOrphans) {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let ends = match ending {
                CancelOrphans::Never => false,
                CancelOrphans::Detached => !now.has(flag::JOIN_INTEREST),
                CancelOrphans::Always => true,
            };
            let force_cancel = match ends {
                true => flag::CANCELLED | flag::FORCE_CANCELLED,
                false => 0,
            };
            ((), Some(now.with(flag::ORPHANED | force_cancel)))
        });
    }

    /// Cancels the task, shielded or not, if it was found that nobody can wake it.
    pub(in crate::task) fn cancel_orphan(&self) -> Cancel {
        self.force_cancel_if(|now| now.has(flag::ORPHANED))
    }

    /// Cancels the task, shielded or not.
    pub(in crate::task) fn force_cancel(&self) -> Cancel {
        self.force_cancel_if(|_| true)
    }

    fn force_cancel_if(&self, is_to_end: impl Fn(Snapshot) -> bool) -> Cancel {
        self.update(|now| {
            if now.is_complete() || now.has(flag::FORCE_CANCELLED) || !is_to_end(now) {
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
