//! The fields of the state word.
//!
//! ```text
//!  63            32 31          16 15          8 7             2 1         0
//! +----------------+--------------+-------------+---------------+-----------+
//! |   references   | shield depth |    flags    |  non-waking   | lifecycle |
//! +----------------+--------------+-------------+---------------+-----------+
//! ```
//!
//! A *non-waking reference* keeps the memory of the task, but cannot wake it.
//! Examples are an [`AbortHandle`](crate::task::AbortHandle), the reference of an inspector, and a
//! stale queue entry. They are counted a second time in a field of their own. So one snapshot shows
//! the number of wakers ([`Snapshot::wakers`]), and whether the task can still be woken.

use std::fmt;

/// The state of a task in its life cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lifecycle {
    /// The task waits for a wake.
    Idle,
    /// The task is in a run queue.
    Scheduled,
    /// Exactly one thread polls, drops or inspects the future.
    Running,
    /// The future is dropped, and the output or the error is stored.
    Complete,
}

/// One value of the state word.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "State")]
pub(in crate::task) struct Snapshot(pub(in crate::task) u64);

const LIFECYCLE_MASK: u64 = 0b11;

const NON_WAKING_SHIFT: u32 = 2;
const NON_WAKING_ONE: u64 = 1 << NON_WAKING_SHIFT;
/// The count at which the field saturates. From then on the number of wakers is unknown.
pub(super) const NON_WAKING_UNKNOWN: u64 = 0x3f;
const NON_WAKING_MASK: u64 = NON_WAKING_UNKNOWN << NON_WAKING_SHIFT;

const SHIELD_SHIFT: u32 = 16;
const SHIELD_ONE: u64 = 1 << SHIELD_SHIFT;
const SHIELD_MASK: u64 = 0xffff << SHIELD_SHIFT;

const REF_SHIFT: u32 = 32;
pub(super) const REF_ONE: u64 = 1 << REF_SHIFT;
/// Half of the range of the field. Threads that pass the check at the same time cannot reach the
/// real overflow, because there are fewer threads than that.
pub(super) const REF_LIMIT: u64 = 1 << 31;

/// The bits of the flags field.
pub(in crate::task) mod flag {
    /// The task was woken while it was scheduled or running.
    pub(in crate::task) const NOTIFIED: u64 = 1 << 8;
    /// Cancellation of the task was requested.
    #[doc(alias = "CLOSED")]
    pub(in crate::task) const CANCELLED: u64 = 1 << 9;
    /// The `JoinHandle` exists, and owns one reference.
    #[doc(alias = "HANDLE")]
    pub(in crate::task) const JOIN_INTEREST: u64 = 1 << 10;
    /// The `JoinHandle` was dropped before the task was complete, so the output is not read.
    pub(in crate::task) const DETACHED: u64 = 1 << 11;
    /// The join waker's slot holds a waker.
    pub(in crate::task) const JOIN_WAKER: u64 = 1 << 12;
    /// The stage contains an error instead of an output. Only complete tasks have a result.
    pub(in crate::task) const FAILED: u64 = 1 << 13;
    /// An inspector claimed the task while it was queued, and its entry is still in the queue.
    /// Inspector and entry share the life reference. Only running tasks are claimed, so the bit can
    /// be the one of `FAILED`.
    pub(in crate::task) const CLAIMED: u64 = FAILED;
    /// The task was found to have no waker left, and this was reported.
    pub(in crate::task) const ORPHANED: u64 = 1 << 14;
    /// Shields do not delay the cancellation, because the shielded section will never end.
    pub(in crate::task) const FORCE_CANCELLED: u64 = 1 << 15;
}

impl Snapshot {
    /// Returns the word of a task that was just spawned: scheduled, with a handle.
    pub(in crate::task) const fn new() -> Self {
        Self(Lifecycle::Scheduled as u64 | flag::JOIN_INTEREST | (2 * REF_ONE))
    }

    #[inline]
    pub(in crate::task) const fn lifecycle(self) -> Lifecycle {
        match self.0 & LIFECYCLE_MASK {
            0 => Lifecycle::Idle,
            1 => Lifecycle::Scheduled,
            2 => Lifecycle::Running,
            _ => Lifecycle::Complete,
        }
    }

    #[inline]
    pub(in crate::task) const fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }

    #[doc(alias = "ref_count")]
    pub(in crate::task) const fn refs(self) -> u64 {
        self.0 >> REF_SHIFT
    }

    #[doc(alias = "shield_depth")]
    pub(in crate::task) const fn shield(self) -> u16 {
        ((self.0 & SHIELD_MASK) >> SHIELD_SHIFT) as u16
    }

    /// Returns the kind of result of a complete task.
    #[inline]
    pub(in crate::task) const fn result_kind(self) -> ResultKind {
        if self.has(flag::FAILED) {
            ResultKind::Failure
        } else {
            ResultKind::Output
        }
    }

    /// Returns the number of references that cannot wake the task. It is a lower bound at
    /// [`NON_WAKING_UNKNOWN`].
    pub(in crate::task) const fn non_waking(self) -> u64 {
        (self.0 & NON_WAKING_MASK) >> NON_WAKING_SHIFT
    }

    #[inline]
    pub(in crate::task) const fn is_complete(self) -> bool {
        matches!(self.lifecycle(), Lifecycle::Complete)
    }

    /// Returns `true` if the task must be stopped now: it is cancelled, and no shield delays that.
    #[inline]
    #[doc(alias = "isCancellationEffective")]
    pub(super) const fn must_stop(self) -> bool {
        self.has(flag::CANCELLED) && (self.shield() == 0 || self.has(flag::FORCE_CANCELLED))
    }

    /// Returns `true` if an inspector has claimed the task and its entry is still in a queue.
    #[inline]
    pub(super) const fn is_claimed(self) -> bool {
        matches!(self.lifecycle(), Lifecycle::Running) && self.has(flag::CLAIMED)
    }

    /// Returns the number of live wakers of a task that is not complete, or `None` if the count of
    /// non-waking references has saturated.
    ///
    /// The other references are the life reference, and those of the handle, of each shield and of
    /// the non-waking holders. The wakers own the rest.
    pub(in crate::task) const fn wakers(self) -> Option<u64> {
        if self.non_waking() == NON_WAKING_UNKNOWN {
            return None;
        }
        let handle = self.has(flag::JOIN_INTEREST) as u64;
        Some(self.refs() - 1 - handle - self.shield() as u64 - self.non_waking())
    }

    /// Returns `true` if the task has no waker left, and is not marked as orphaned.
    #[inline]
    pub(super) const fn is_new_orphan(self) -> bool {
        !self.has(flag::ORPHANED) && matches!(self.wakers(), Some(0))
    }

    /// Returns `true` if the task had no waker left and was not cancelled by a user.
    ///
    /// If such a task has no output, the orphan policy or the end of the runtime cancelled it.
    pub(in crate::task) const fn ended_as_orphan(self) -> bool {
        let by_user = self.has(flag::CANCELLED) && !self.has(flag::FORCE_CANCELLED);
        self.has(flag::ORPHANED) && !by_user
    }

    /// Returns `true` if the task is idle and its only waker is the one of the caller.
    #[inline]
    pub(super) const fn is_idle_with_one_waker(self) -> bool {
        matches!(self.lifecycle(), Lifecycle::Idle)
            && !self.has(flag::ORPHANED)
            && matches!(self.wakers(), Some(1))
    }

    #[inline]
    pub(super) const fn in_lifecycle(self, lifecycle: Lifecycle) -> Self {
        Self((self.0 & !LIFECYCLE_MASK) | lifecycle as u64)
    }

    #[inline]
    pub(in crate::task) const fn with(self, flags: u64) -> Self {
        Self(self.0 | flags)
    }

    #[inline]
    pub(in crate::task) const fn without(self, flags: u64) -> Self {
        Self(self.0 & !flags)
    }

    /// Adds a reference. Returns `None` if there are too many.
    #[inline]
    pub(super) const fn more_refs(self) -> Option<Self> {
        if self.refs() >= REF_LIMIT {
            return None;
        }
        Some(Self(self.0 + REF_ONE))
    }

    /// Removes a reference.
    #[inline]
    pub(super) const fn fewer_refs(self) -> Self {
        debug_assert!(self.refs() > 0, "a reference was dropped twice");
        Self(self.0 - REF_ONE)
    }

    /// Adds a reference that cannot wake. Returns `None` if there are too many.
    pub(super) const fn more_non_waking(self) -> Option<Self> {
        let one = match self.non_waking() {
            NON_WAKING_UNKNOWN => 0,
            _ => NON_WAKING_ONE,
        };
        match self.more_refs() {
            Some(next) => Some(Self(next.0 + one)),
            None => None,
        }
    }

    /// Removes a reference that cannot wake.
    pub(super) const fn fewer_non_waking(self) -> Self {
        let one = match self.non_waking() {
            NON_WAKING_UNKNOWN | 0 => 0,
            _ => NON_WAKING_ONE,
        };
        Self(self.fewer_refs().0 - one)
    }

    /// Adds a shield and its reference.
    pub(super) const fn more_shield(self) -> Result<Option<Self>, ShieldOverflow> {
        if self.shield() == u16::MAX {
            return Err(ShieldOverflow);
        }
        Ok(match self.more_refs() {
            Some(next) => Some(Self(next.0 + SHIELD_ONE)),
            None => None,
        })
    }

    /// Removes a shield, but not its reference.
    ///
    /// # Panics
    ///
    /// Panics if there is no shield, because the subtraction would borrow from the next field.
    pub(super) const fn fewer_shield(self) -> Self {
        assert!(self.shield() > 0, "a shield was removed twice");
        Self(self.0 - SHIELD_ONE)
    }
}

/// The state that a task was in when it was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::task) enum ClaimedFrom {
    /// The task was idle.
    Idle,
    /// The task was scheduled. Its entry may still be in a queue.
    Queue,
}

/// The kind of result in the stage of a complete task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::task) enum ResultKind {
    Output,
    Failure,
}

/// The tasks that are cancelled when they become orphans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::task) enum CancelOrphans {
    /// No task.
    Never,
    /// The tasks without a handle.
    Detached,
    /// All tasks.
    Always,
}

/// The task has as many shields as the field can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::task) struct ShieldOverflow;

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("lifecycle", &self.lifecycle())
            .field("notified", &self.has(flag::NOTIFIED))
            .field("cancelled", &self.has(flag::CANCELLED))
            .field("join_interest", &self.has(flag::JOIN_INTEREST))
            .field("detached", &self.has(flag::DETACHED))
            .field("join_waker", &self.has(flag::JOIN_WAKER))
            .field("failed", &(self.is_complete() && self.has(flag::FAILED)))
            .field("claimed", &self.is_claimed())
            .field("orphaned", &self.has(flag::ORPHANED))
            .field("force_cancelled", &self.has(flag::FORCE_CANCELLED))
            .field("non_waking", &self.non_waking())
            .field("shield", &self.shield())
            .field("refs", &self.refs())
            .finish()
    }
}
