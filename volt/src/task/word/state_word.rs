//! The state word and its transitions.
//!
//! Pure: no pointers, no unsafe, nothing but one [`AtomicU64`] and functions from its value to
//! the next. Each transition is one method, one atomic step, and answers with what the caller
//! now owes or owns. What the fields are is told in [`super::snapshot`], who calls what in
//! [the module](crate::task).
//!
//! | ordering | where | pairs with |
//! | --- | --- | --- |
//! | AcqRel | each transition that changes the word | all the others: whoever takes the task over sees what the last owner did to it |
//! | AcqRel | a wake that changes nothing | the transition that starts the next poll, which must see what the waker wrote |
//! | Acquire | reads that change nothing ([`State::load`], refusals) | the release of the transition that they see |
//! | Relaxed | one more reference ([`State::add_ref`]) | nothing: whoever clones has a reference already |
//! | AcqRel | one reference less | itself: the last one sees what all others did before they left |

use super::outcome::{
    Cancel, Claim, ClaimToRun, DropHandle, JoinSlot, RemoveShield, ToComplete, ToCompleteUnread,
    ToIdle, ToRunning, ToScheduled, ToScheduledByValue,
};
use super::snapshot::{Lifecycle, REF_LIMIT, REF_ONE, ShieldOverflow, Snapshot, flag};
use crate::loom::sync::atomic::{AtomicU64, Ordering};
use std::fmt;

/// The state word of a task.
pub(in crate::task) struct State(AtomicU64);

impl State {
    /// The word of a task that has just been spawned: scheduled, with a handle, two references.
    pub(in crate::task) fn new() -> Self {
        Self(AtomicU64::new(Snapshot::new().0))
    }

    /// Reads the word.
    #[inline]
    pub(in crate::task) fn load(&self) -> Snapshot {
        // ORDERING: Acquire, pairs with the release of every transition: whoever sees COMPLETE
        // sees the output.
        Snapshot(self.0.load(Ordering::Acquire))
    }

    /// Tries `step` until its result can be stored: the answer and the next value, or no value
    /// where nothing changes.
    #[inline(always)]
    pub(super) fn update<R>(&self, step: impl Fn(Snapshot) -> (R, Option<Snapshot>)) -> R {
        let mut now = self.load();
        loop {
            let (answer, next) = step(now);
            let Some(next) = next else { return answer };
            // ORDERING: see the table above.
            match self
                .0
                .compare_exchange_weak(now.0, next.0, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => return answer,
                Err(found) => now = Snapshot(found),
            }
        }
    }

    /// A wake that keeps its reference.
    ///
    /// It writes the word also when the word stays as it is: a wake that only looked would not
    /// make what the waker wrote before visible to the poll that is to come.
    #[inline]
    #[doc(alias = "transitionToScheduled")]
    pub(in crate::task) fn transition_to_scheduled(&self) -> ToScheduled {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Idle => (
                ToScheduled::Submit,
                Some(now.in_lifecycle(Lifecycle::Scheduled)),
            ),
            Lifecycle::Scheduled | Lifecycle::Running => {
                (ToScheduled::Nothing, Some(now.with(flag::NOTIFIED)))
            }
            Lifecycle::Complete => (ToScheduled::Nothing, None),
        })
    }

    /// A wake that gives its reference up, in the same step where that is possible.
    #[inline]
    pub(in crate::task) fn transition_to_scheduled_by_value(&self) -> ToScheduledByValue {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Idle => (
                ToScheduledByValue::Submit,
                Some(now.in_lifecycle(Lifecycle::Scheduled)),
            ),
            Lifecycle::Scheduled | Lifecycle::Running => (
                ToScheduledByValue::Nothing,
                Some(now.with(flag::NOTIFIED).fewer_refs()),
            ),
            Lifecycle::Complete => match now.refs() {
                1 => (ToScheduledByValue::Dealloc, Some(now.fewer_refs())),
                _ => (ToScheduledByValue::Nothing, Some(now.fewer_refs())),
            },
        })
    }

    /// A queue entry was popped.
    ///
    /// Wakes up to here are answered by the poll that follows, so `notified` is cleared.
    #[inline]
    #[doc(alias = "transitionToRunning")]
    pub(in crate::task) fn transition_to_running(&self) -> ToRunning {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Scheduled => {
                let next = now.without(flag::NOTIFIED).in_lifecycle(Lifecycle::Running);
                match now.must_stop() {
                    false => (ToRunning::Run, Some(next)),
                    true => (ToRunning::Cancelled, Some(next)),
                }
            }
            // Whoever looks at it keeps the reference that was the entry's too.
            _ if now.is_claimed() => (ToRunning::Stale, Some(now.without(flag::CLAIMED))),
            _ => match now.refs() {
                1 => (ToRunning::StaleLast, Some(now.fewer_non_waking())),
                _ => (ToRunning::Stale, Some(now.fewer_non_waking())),
            },
        })
    }

    /// A poll returned `Pending`.
    #[inline]
    #[doc(alias = "transitionToIdle")]
    pub(in crate::task) fn transition_to_idle(&self) -> ToIdle {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            if now.must_stop() {
                (ToIdle::Cancelled, None)
            } else if now.has(flag::NOTIFIED) {
                let next = now.without(flag::NOTIFIED);
                let next = next.in_lifecycle(Lifecycle::Scheduled);
                (ToIdle::Reschedule, Some(next))
            } else if now.is_new_orphan() {
                (ToIdle::Orphaned, None)
            } else {
                (ToIdle::Idle, Some(now.in_lifecycle(Lifecycle::Idle)))
            }
        })
    }

    /// The stage holds the output, or the error if `failed`.
    #[inline]
    #[doc(alias = "transitionToComplete")]
    pub(in crate::task) fn transition_to_complete(&self, failed: bool) -> ToComplete {
        let flags = if failed { flag::FAILED } else { 0 };
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let next = now.in_lifecycle(Lifecycle::Complete).with(flags);
            if !now.has(flag::JOIN_INTEREST) {
                (ToComplete::Unread, None)
            } else if now.has(flag::JOIN_WAKER) {
                (ToComplete::WakeJoiner, Some(next))
            } else {
                (ToComplete::Done, Some(next.fewer_refs()))
            }
        })
    }

    /// The stage is empty and the handle gone.
    #[inline]
    pub(in crate::task) fn transition_to_complete_unread(&self) -> ToCompleteUnread {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            // The only reference is the caller's: nobody is there to see the word.
            if now.refs() == 1 {
                return (ToCompleteUnread::Dealloc, None);
            }
            let next = now.in_lifecycle(Lifecycle::Complete).fewer_refs();
            (ToCompleteUnread::Done, Some(next))
        })
    }

    /// Takes the task out of the hands of its queue, or from where it waits, to look at it.
    ///
    /// `notified` stays: no poll follows. [`State::release_claim`] gives the task back, or
    /// [`State::keep_claim`] keeps it for good.
    pub(in crate::task) fn claim(&self) -> Claim {
        self.update(|now| {
            let next = now.in_lifecycle(Lifecycle::Running);
            match now.lifecycle() {
                Lifecycle::Idle => (Claim::WasIdle, Some(next)),
                Lifecycle::Scheduled => (Claim::WasScheduled, Some(next.with(flag::CLAIMED))),
                other => (Claim::Refused(other), None),
            }
        })
    }

    /// The task that was claimed will not be given back: its entry, if it is still in a queue,
    /// is stale from here on.
    pub(in crate::task) fn keep_claim(&self) {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let stale = || or_abort(now.without(flag::CLAIMED).more_non_waking());
            ((), now.is_claimed().then(stale))
        });
    }

    /// Takes a scheduled task out of the hands of its queue, to poll it here.
    #[inline]
    pub(in crate::task) fn claim_to_run(&self) -> ClaimToRun {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Scheduled => {
                let next = now.without(flag::NOTIFIED).in_lifecycle(Lifecycle::Running);
                let next = Some(or_abort(next.more_non_waking()));
                match now.must_stop() {
                    false => (ClaimToRun::Run, next),
                    true => (ClaimToRun::Cancelled, next),
                }
            }
            other => (ClaimToRun::Refused(other), None),
        })
    }

    /// Gives back a task that was claimed and not polled.
    ///
    /// It never answers [`ToIdle::Cancelled`]: such a task is queued.
    pub(in crate::task) fn release_claim(&self, was_scheduled: bool) -> ToIdle {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let next = now.without(flag::NOTIFIED | flag::CLAIMED);
            let (idle, scheduled) = (
                next.in_lifecycle(Lifecycle::Idle),
                next.in_lifecycle(Lifecycle::Scheduled),
            );
            if now.is_claimed() {
                (ToIdle::Queued, Some(scheduled))
            } else if was_scheduled || now.has(flag::NOTIFIED) || now.must_stop() {
                (ToIdle::Reschedule, Some(scheduled))
            } else if now.is_new_orphan() {
                (ToIdle::Orphaned, None)
            } else {
                (ToIdle::Idle, Some(idle))
            }
        })
    }

    /// Asks the task to stop; an idle one is scheduled in the same step.
    pub(in crate::task) fn cancel(&self) -> Cancel {
        self.update(|now| {
            if now.is_complete() || now.has(flag::CANCELLED) {
                return (Cancel::Nothing, None);
            }
            let next = now.with(flag::CANCELLED);
            if now.lifecycle() == Lifecycle::Idle && next.must_stop() {
                let next = next.in_lifecycle(Lifecycle::Scheduled);
                return (Cancel::Submit, Some(next));
            }
            (Cancel::Flagged, Some(next))
        })
    }

    /// Puts cancellation off, and takes one reference.
    ///
    /// # Errors
    ///
    /// [`ShieldOverflow`] when the field is full; nothing has changed.
    #[doc(alias = "addShieldAtomic")]
    pub(in crate::task) fn add_shield(&self) -> Result<(), ShieldOverflow> {
        self.update(|now| match now.more_shield() {
            Ok(next) => (Ok(()), Some(or_abort(next))),
            Err(full) => (Err(full), None),
        })
    }

    /// Ends one shield. The last one schedules a task that was cancelled under it and waits; a
    /// running one is told at the end of its poll.
    #[doc(alias = "removeShieldAtomic")]
    pub(in crate::task) fn remove_shield(&self) -> RemoveShield {
        self.update(|now| {
            let next = now.fewer_shield();
            if now.lifecycle() == Lifecycle::Idle && next.must_stop() {
                let next = next.in_lifecycle(Lifecycle::Scheduled);
                return (RemoveShield::Submit, Some(next));
            }
            match now.refs() {
                1 => (RemoveShield::Dealloc, Some(next.fewer_refs())),
                _ => (RemoveShield::Done, Some(next.fewer_refs())),
            }
        })
    }

    /// The slot holds a waker now: it is the completer's to take.
    #[inline]
    pub(in crate::task) fn set_join_waker(&self) -> JoinSlot {
        self.update(|now| {
            debug_assert!(now.has(flag::JOIN_INTEREST));
            debug_assert!(!now.has(flag::JOIN_WAKER));
            match now.is_complete() {
                true => (JoinSlot::Complete, None),
                false => (JoinSlot::Changed, Some(now.with(flag::JOIN_WAKER))),
            }
        })
    }

    /// Takes the slot back from the completer.
    #[inline]
    pub(in crate::task) fn unset_join_waker(&self) -> JoinSlot {
        self.update(|now| {
            debug_assert!(now.has(flag::JOIN_INTEREST));
            debug_assert!(now.has(flag::JOIN_WAKER));
            match now.is_complete() {
                true => (JoinSlot::Complete, None),
                false => (JoinSlot::Changed, Some(now.without(flag::JOIN_WAKER))),
            }
        })
    }

    /// The handle leaves.
    #[inline]
    pub(in crate::task) fn drop_join_handle(&self) -> DropHandle {
        self.update(|now| {
            debug_assert!(now.has(flag::JOIN_INTEREST));
            if now.is_complete() {
                return (DropHandle::Output, None);
            }
            if now.has(flag::JOIN_WAKER) {
                return (DropHandle::Waker, Some(now.without(flag::JOIN_WAKER)));
            }
            let next = now.without(flag::JOIN_INTEREST).with(flag::DETACHED);
            (DropHandle::Done, Some(next.fewer_refs()))
        })
    }

    /// One waker more. Aborts the process when there are too many references, as `Arc` does.
    #[inline]
    #[doc(alias = "ref")]
    pub(in crate::task) fn add_ref(&self) {
        // ORDERING: Relaxed, a new reference is made from one that is there.
        let prev = Snapshot(self.0.fetch_add(REF_ONE, Ordering::Relaxed));
        if prev.refs() >= REF_LIMIT {
            abort();
        }
    }

    /// Gives one reference back; true when it was the last.
    #[inline]
    #[doc(alias = "unref")]
    pub(in crate::task) fn drop_ref(&self) -> bool {
        // ORDERING: AcqRel, the last one sees what the others did before they left.
        let prev = Snapshot(self.0.fetch_sub(REF_ONE, Ordering::AcqRel));
        debug_assert!(prev.refs() > 0, "a reference was given back twice");
        prev.refs() == 1
    }

    /// One reference more that cannot wake.
    pub(in crate::task) fn add_non_waking(&self) {
        self.update(|now| ((), Some(or_abort(now.more_non_waking()))));
    }

    /// Gives back one reference that cannot wake; true when it was the last.
    pub(in crate::task) fn drop_non_waking(&self) -> bool {
        self.update(|now| (now.refs() == 1, Some(now.fewer_non_waking())))
    }
}

/// References without end are memory errors to come, so the process ends here.
#[inline]
fn or_abort(next: Option<Snapshot>) -> Snapshot {
    next.unwrap_or_else(|| abort())
}

#[cold]
fn abort() -> ! {
    std::process::abort()
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.load().fmt(f)
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
