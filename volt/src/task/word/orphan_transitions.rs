//! The steps that find, mark and end a task which nobody can wake.
//!
//! Once `ORPHANED` is set the future is never polled again: no waker is there, and none can be
//! made without a poll.

use super::outcome::{Cancel, DropWaker};
use super::snapshot::{Ending, Lifecycle, Snapshot, flag};
use super::state_word::State;

impl State {
    /// A waker leaves. The last one of a task that waits takes the task along, to tell of it.
    #[inline]
    pub(in crate::task) fn drop_waker(&self) -> DropWaker {
        self.update(|now| {
            let next = now.fewer_refs();
            if now.waits_for_one_waker() {
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
    pub(in crate::task) fn mark_orphaned(&self, ending: Ending) {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let ends = match ending {
                Ending::Never => false,
                Ending::Detached => !now.has(flag::JOIN_INTEREST),
                Ending::Always => true,
            };
            let doom = match ends {
                true => flag::CANCELLED | flag::DOOMED,
                false => 0,
            };
            ((), Some(now.with(flag::ORPHANED | doom)))
        });
    }

    /// Cancels the task, shielded or not, if it was found that nobody can wake it.
    pub(in crate::task) fn cancel_orphan(&self) -> Cancel {
        self.doom_if(|now| now.has(flag::ORPHANED))
    }

    /// Cancels the task, shielded or not.
    pub(in crate::task) fn doom(&self) -> Cancel {
        self.doom_if(|_| true)
    }

    fn doom_if(&self, is_to_end: impl Fn(Snapshot) -> bool) -> Cancel {
        self.update(|now| {
            if now.is_complete() || now.has(flag::DOOMED) || !is_to_end(now) {
                return (Cancel::Nothing, None);
            }
            let next = now.with(flag::CANCELLED | flag::DOOMED);
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
