//! The state word and its transitions.
//!
//! The code is pure: one [`AtomicU64`], and functions from a value of it to the next one.
//! Each transition is one method and one atomic step. It returns the references and duties that the
//! caller now has. [`super::snapshot`] describes the fields, and [the folder](super) the callers.
//!
//! | ordering | where | pairs with |
//! | --- | --- | --- |
//! | AcqRel | each transition that changes the word | all others: the next owner sees the writes of the last |
//! | AcqRel | a wake that changes nothing | the start of the next poll, which sees the writes of the waker |
//! | Acquire | reads that change nothing ([`StateWord::load`], refusals) | the release of the transition that they see |
//! | Relaxed | a new reference ([`StateWord::add_ref`]) | nothing: it is cloned from an existing one |
//! | AcqRel | the drop of a reference | itself: the last holder sees the writes of all others |

use super::outcome::{
    Cancel, Claim, ClaimToRun, Completion, DropHandle, JoinSlot, ReleaseClaim, RemoveShield,
    StartPoll, Suspend, UnreadCompletion, WakeByRef, WakeByValue,
};
use super::snapshot::{
    ClaimedFrom, Lifecycle, REF_LIMIT, REF_ONE, ResultKind, ShieldOverflow, Snapshot, flag,
};
use crate::loom::sync::atomic::{AtomicU64, Ordering};
use std::fmt;

/// The state word of a task.
pub(in crate::task) struct StateWord(AtomicU64);

impl StateWord {
    /// Creates the word of a task that was just spawned: scheduled, with a handle and two
    /// references.
    pub(in crate::task) fn new() -> Self {
        Self(AtomicU64::new(Snapshot::new().0))
    }

    /// Reads the word.
    #[inline]
    pub(in crate::task) fn load(&self) -> Snapshot {
        // ORDERING: Acquire, pairs with the release of every transition: a thread that reads
        // COMPLETE sees the output.
        Snapshot(self.0.load(Ordering::Acquire))
    }

    /// Calls `step` with the current value until the next value can be stored.
    ///
    /// `step` returns the result of the transition, and the next value or `None` if the word does
    /// not change.
    #[inline(always)]
    pub(super) fn update<R>(&self, step: impl Fn(Snapshot) -> (R, Option<Snapshot>)) -> R {
        let mut now = self.load();
        loop {
            let (result, next) = step(now);
            let Some(next) = next else { return result };
            // ORDERING: see the table above.
            match self
                .0
                .compare_exchange_weak(now.0, next.0, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => return result,
                Err(found) => now = Snapshot(found),
            }
        }
    }

    /// Wakes the task without dropping a reference.
    ///
    /// A wake writes the word even if its value stays the same. A wake that only read it would not
    /// publish the earlier writes of its thread to the next poll.
    #[inline]
    #[doc(alias = "transitionToScheduled")]
    pub(in crate::task) fn wake_by_ref(&self) -> WakeByRef {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Idle => (
                WakeByRef::Submit,
                Some(now.in_lifecycle(Lifecycle::Scheduled)),
            ),
            Lifecycle::Scheduled | Lifecycle::Running => {
                (WakeByRef::Nothing, Some(now.with(flag::NOTIFIED)))
            }
            Lifecycle::Complete => (WakeByRef::Nothing, None),
        })
    }

    /// Wakes the task and drops the reference of the waker, in the same step if that is possible.
    #[inline]
    pub(in crate::task) fn wake_by_value(&self) -> WakeByValue {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Idle => (
                WakeByValue::Submit,
                Some(now.in_lifecycle(Lifecycle::Scheduled)),
            ),
            Lifecycle::Scheduled | Lifecycle::Running => (
                WakeByValue::Nothing,
                Some(now.with(flag::NOTIFIED).fewer_refs()),
            ),
            Lifecycle::Complete => match now.refs() {
                1 => (WakeByValue::Dealloc, Some(now.fewer_refs())),
                _ => (WakeByValue::Nothing, Some(now.fewer_refs())),
            },
        })
    }

    /// Starts a poll for a popped queue entry.
    ///
    /// The poll serves all wakes up to here, so the step clears `notified`.
    #[inline]
    #[doc(alias = "transitionToRunning")]
    pub(in crate::task) fn start_poll(&self) -> StartPoll {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Scheduled => {
                let next = now.without(flag::NOTIFIED).in_lifecycle(Lifecycle::Running);
                if now.must_stop() {
                    (StartPoll::Cancelled, Some(next))
                } else {
                    (StartPoll::Run, Some(next))
                }
            }
            // The inspector keeps the reference that it shared with the entry.
            _ if now.is_claimed() => (StartPoll::Stale, Some(now.without(flag::CLAIMED))),
            _ => match now.refs() {
                1 => (StartPoll::StaleLast, Some(now.fewer_non_waking())),
                _ => (StartPoll::Stale, Some(now.fewer_non_waking())),
            },
        })
    }

    /// Ends a poll that returned `Pending`.
    #[inline]
    #[doc(alias = "transitionToIdle")]
    pub(in crate::task) fn suspend(&self) -> Suspend {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            if now.must_stop() {
                (Suspend::Cancelled, None)
            } else if now.has(flag::NOTIFIED) {
                let next = now.without(flag::NOTIFIED);
                let next = next.in_lifecycle(Lifecycle::Scheduled);
                (Suspend::Reschedule, Some(next))
            } else if now.is_new_orphan() {
                (Suspend::Orphaned, None)
            } else {
                (Suspend::Idle, Some(now.in_lifecycle(Lifecycle::Idle)))
            }
        })
    }

    /// Completes a task whose stage contains its result.
    #[inline]
    #[doc(alias = "transitionToComplete")]
    pub(in crate::task) fn complete(&self, result: ResultKind) -> Completion {
        let flags = match result {
            ResultKind::Output => 0,
            ResultKind::Failure => flag::FAILED,
        };
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let next = now.in_lifecycle(Lifecycle::Complete).with(flags);
            if !now.has(flag::JOIN_INTEREST) {
                (Completion::Unread, None)
            } else if now.has(flag::JOIN_WAKER) {
                (Completion::WakeJoiner, Some(next))
            } else {
                (Completion::Done, Some(next.fewer_refs()))
            }
        })
    }

    /// Completes a task without a handle, whose stage is empty.
    #[inline]
    pub(in crate::task) fn complete_unread(&self) -> UnreadCompletion {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            // The caller has the only reference, so no other thread can read the word.
            if now.refs() == 1 {
                return (UnreadCompletion::Dealloc, None);
            }
            let next = now.in_lifecycle(Lifecycle::Complete).fewer_refs();
            (UnreadCompletion::Done, Some(next))
        })
    }

    /// Claims an idle or scheduled task for inspection.
    ///
    /// `notified` is not cleared, because no poll follows. [`StateWord::release_claim`] ends the
    /// claim, or [`StateWord::keep_claim`] makes it permanent.
    pub(in crate::task) fn claim(&self) -> Claim {
        self.update(|now| {
            let next = now.in_lifecycle(Lifecycle::Running);
            match now.lifecycle() {
                Lifecycle::Idle => (Claim::Claimed(ClaimedFrom::Idle), Some(next)),
                Lifecycle::Scheduled => (
                    Claim::Claimed(ClaimedFrom::Queue),
                    Some(next.with(flag::CLAIMED)),
                ),
                other => (Claim::Refused(other), None),
            }
        })
    }

    /// Makes the claim of a task permanent. An entry that is still in a queue becomes stale.
    pub(in crate::task) fn keep_claim(&self) {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let stale = || or_abort(now.without(flag::CLAIMED).more_non_waking());
            ((), now.is_claimed().then(stale))
        });
    }

    /// Claims a scheduled task, to poll it on this thread.
    #[inline]
    pub(in crate::task) fn claim_to_run(&self) -> ClaimToRun {
        self.update(|now| match now.lifecycle() {
            Lifecycle::Scheduled => {
                let next = now.without(flag::NOTIFIED).in_lifecycle(Lifecycle::Running);
                let next = Some(or_abort(next.more_non_waking()));
                if now.must_stop() {
                    (ClaimToRun::Cancelled, next)
                } else {
                    (ClaimToRun::Run, next)
                }
            }
            other => (ClaimToRun::Refused(other), None),
        })
    }

    /// Ends the claim of a task that was not polled. A task that was cancelled meanwhile is
    /// scheduled.
    pub(in crate::task) fn release_claim(&self, from: ClaimedFrom) -> ReleaseClaim {
        self.update(|now| {
            debug_assert_eq!(now.lifecycle(), Lifecycle::Running);
            let next = now.without(flag::NOTIFIED | flag::CLAIMED);
            let (idle, scheduled) = (
                next.in_lifecycle(Lifecycle::Idle),
                next.in_lifecycle(Lifecycle::Scheduled),
            );
            if now.is_claimed() {
                (ReleaseClaim::Queued, Some(scheduled))
            } else if from == ClaimedFrom::Queue || now.has(flag::NOTIFIED) || now.must_stop() {
                (ReleaseClaim::Reschedule, Some(scheduled))
            } else if now.is_new_orphan() {
                (ReleaseClaim::Orphaned, None)
            } else {
                (ReleaseClaim::Idle, Some(idle))
            }
        })
    }

    /// Requests cancellation. If no shield delays the cancellation, an idle task is scheduled in
    /// the same step.
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

    /// Adds a shield and a reference for it. A shield delays cancellation.
    ///
    /// # Errors
    ///
    /// Returns [`ShieldOverflow`] if the field is full. The word is unchanged then.
    #[doc(alias = "addShieldAtomic")]
    pub(in crate::task) fn add_shield(&self) -> Result<(), ShieldOverflow> {
        self.update(|now| match now.more_shield() {
            Ok(next) => (Ok(()), Some(or_abort(next))),
            Err(full) => (Err(full), None),
        })
    }

    /// Removes a shield. The removal of the last shield schedules a cancelled idle task. A
    /// cancelled running task is stopped at the end of its poll.
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

    /// Passes the slot, which now contains a waker, to the thread that completes the task.
    #[inline]
    pub(in crate::task) fn set_join_waker(&self) -> JoinSlot {
        self.update(|now| {
            debug_assert!(now.has(flag::JOIN_INTEREST));
            debug_assert!(!now.has(flag::JOIN_WAKER));
            if now.is_complete() {
                (JoinSlot::Complete, None)
            } else {
                (JoinSlot::Changed, Some(now.with(flag::JOIN_WAKER)))
            }
        })
    }

    /// Passes the slot back to the handle.
    #[inline]
    pub(in crate::task) fn unset_join_waker(&self) -> JoinSlot {
        self.update(|now| {
            debug_assert!(now.has(flag::JOIN_INTEREST));
            debug_assert!(now.has(flag::JOIN_WAKER));
            if now.is_complete() {
                (JoinSlot::Complete, None)
            } else {
                (JoinSlot::Changed, Some(now.without(flag::JOIN_WAKER)))
            }
        })
    }

    /// Drops the handle.
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

    /// Adds the reference of a waker. Aborts the process if there are too many references, as `Arc`
    /// does.
    #[inline]
    #[doc(alias = "ref")]
    pub(in crate::task) fn add_ref(&self) {
        // ORDERING: Relaxed: the new reference is cloned from an existing one.
        let prev = Snapshot(self.0.fetch_add(REF_ONE, Ordering::Relaxed));
        if prev.refs() >= REF_LIMIT {
            abort();
        }
    }

    /// Drops a reference. Returns `true` if it was the last one.
    #[inline]
    #[doc(alias = "unref")]
    pub(in crate::task) fn drop_ref(&self) -> bool {
        // ORDERING: AcqRel: the last holder sees the writes of the others.
        let prev = Snapshot(self.0.fetch_sub(REF_ONE, Ordering::AcqRel));
        debug_assert!(prev.refs() > 0, "a reference was dropped twice");
        prev.refs() == 1
    }

    /// Adds a reference that cannot wake.
    pub(in crate::task) fn add_non_waking(&self) {
        self.update(|now| ((), Some(or_abort(now.more_non_waking()))));
    }

    /// Drops a reference that cannot wake. Returns `true` if it was the last one.
    pub(in crate::task) fn drop_non_waking(&self) -> bool {
        self.update(|now| (now.refs() == 1, Some(now.fewer_non_waking())))
    }
}

/// Aborts the process if there are too many references: an overflow would free memory in use.
#[inline]
fn or_abort(next: Option<Snapshot>) -> Snapshot {
    next.unwrap_or_else(|| abort())
}

#[cold]
fn abort() -> ! {
    std::process::abort()
}

impl fmt::Debug for StateWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.load().fmt(f)
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
