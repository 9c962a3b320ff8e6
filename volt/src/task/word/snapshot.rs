//! The fields of the state word.
//!
//! ```text
//!  63            32 31          16 15          8 7             2 1         0
//! +----------------+--------------+-------------+---------------+-----------+
//! |   references   | shield depth |    flags    |  non-waking   | lifecycle |
//! +----------------+--------------+-------------+---------------+-----------+
//! ```
//!
//! A *non-waking reference* can keep the task's memory but cannot wake it: an
//! [`AbortHandle`](crate::task::AbortHandle), a reference of the inspector, a stale queue entry. They
//! are counted a second time in their own field, so that the number of wakers alive can be told
//! from one snapshot ([`Snapshot::wakers`]), and with it whether anybody can still wake the task.

use std::fmt;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lifecycle {
    /// Waits to be woken.
    Idle,
    /// Is in a run queue.
    Scheduled,
    /// Is being polled, dropped or looked at by exactly one thread.
    Running,
    /// Has its output or its error; the future is gone.
    Complete,
}

/// One value of the state word.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "State")]
pub(in crate::task) struct Snapshot(pub(in crate::task) u64);

const LIFECYCLE_MASK: u64 = 0b11;

const NON_WAKING_SHIFT: u32 = 2;
const NON_WAKING_ONE: u64 = 1 << NON_WAKING_SHIFT;
/// At this count the field sticks: the number of wakers is unknown from there on.
pub(super) const NON_WAKING_UNKNOWN: u64 = 0x3f;
const NON_WAKING_MASK: u64 = NON_WAKING_UNKNOWN << NON_WAKING_SHIFT;

const SHIELD_SHIFT: u32 = 16;
const SHIELD_ONE: u64 = 1 << SHIELD_SHIFT;
const SHIELD_MASK: u64 = 0xffff << SHIELD_SHIFT;

const REF_SHIFT: u32 = 32;
pub(super) const REF_ONE: u64 = 1 << REF_SHIFT;
/// Half of what the field holds: the distance to the real overflow is so large that no number of
/// threads that passed the check at once can cross it.
pub(super) const REF_LIMIT: u64 = 1 << 31;

/// The bits of the flags field.
pub(in crate::task) mod flag {
    /// The task was woken while it was scheduled or running.
    pub(in crate::task) const NOTIFIED: u64 = 1 << 8;
    /// Somebody asked the task to stop.
    #[doc(alias = "CLOSED")]
    pub(in crate::task) const CANCELLED: u64 = 1 << 9;
    /// The `JoinHandle` is there, and holds one reference.
    #[doc(alias = "HANDLE")]
    pub(in crate::task) const JOIN_INTEREST: u64 = 1 << 10;
    /// The `JoinHandle` left before the task was complete: nobody will read the output.
    pub(in crate::task) const DETACHED: u64 = 1 << 11;
    /// The join waker's slot holds a waker.
    pub(in crate::task) const JOIN_WAKER: u64 = 1 << 12;
    /// The stage holds an error and no output. Only complete tasks have a result.
    pub(in crate::task) const FAILED: u64 = 1 << 13;
    /// Somebody took the task out of a queue to look at it, and its entry is still there; the
    /// two of them share the life reference. Only running tasks are looked at, so the bit can be
    /// that of `FAILED`.
    pub(in crate::task) const CLAIMED: u64 = FAILED;
    /// The task was found with nobody left to wake it, and that was reported.
    pub(in crate::task) const ORPHANED: u64 = 1 << 14;
    /// Shields do not put the cancellation off: nobody will ever finish what they cover.
    pub(in crate::task) const FORCE_CANCELLED: u64 = 1 << 15;
}

impl Snapshot {
    /// The word of a task that has just been spawned: in a queue, with a handle.
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

    /// References that cannot wake the task; from [`NON_WAKING_UNKNOWN`] on, not known.
    pub(in crate::task) const fn non_waking(self) -> u64 {
        (self.0 & NON_WAKING_MASK) >> NON_WAKING_SHIFT
    }

    #[inline]
    pub(in crate::task) const fn is_complete(self) -> bool {
        matches!(self.lifecycle(), Lifecycle::Complete)
    }

    /// The task is to be stopped now: cancelled, and nothing shields it, or not any more.
    #[inline]
    #[doc(alias = "isCancellationEffective")]
    pub(super) const fn must_stop(self) -> bool {
        self.has(flag::CANCELLED) && (self.shield() == 0 || self.has(flag::FORCE_CANCELLED))
    }

    /// Somebody looks at the task, and its entry is still in a queue.
    #[inline]
    pub(super) const fn is_claimed(self) -> bool {
        matches!(self.lifecycle(), Lifecycle::Running) && self.has(flag::CLAIMED)
    }

    /// The number of wakers alive while the task is not complete; `None` when too many
    /// non-waking references came by to tell.
    ///
    /// What is left of the count without the task's own life, the handle, the shields (each
    /// holds one reference) and the non-waking references.
    pub(in crate::task) const fn wakers(self) -> Option<u64> {
        if self.non_waking() == NON_WAKING_UNKNOWN {
            return None;
        }
        let handle = self.has(flag::JOIN_INTEREST) as u64;
        Some(self.refs() - 1 - handle - self.shield() as u64 - self.non_waking())
    }

    /// Nobody can wake the task any more, and nobody said so yet.
    #[inline]
    pub(super) const fn is_new_orphan(self) -> bool {
        !self.has(flag::ORPHANED) && matches!(self.wakers(), Some(0))
    }

    /// Nobody was left to wake the task, and no user has cancelled it: what ended it, if it has no
    /// output, is the policy for such tasks or the end of its runtime.
    pub(in crate::task) const fn ended_as_orphan(self) -> bool {
        let by_user = self.has(flag::CANCELLED) && !self.has(flag::FORCE_CANCELLED);
        self.has(flag::ORPHANED) && !by_user
    }

    /// The task waits, and nobody else could wake it once this waker is gone.
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

    /// One more reference, or `None` when there are too many.
    #[inline]
    pub(super) const fn more_refs(self) -> Option<Self> {
        if self.refs() >= REF_LIMIT {
            return None;
        }
        Some(Self(self.0 + REF_ONE))
    }

    /// One reference less.
    #[inline]
    pub(super) const fn fewer_refs(self) -> Self {
        debug_assert!(self.refs() > 0, "a reference was given back twice");
        Self(self.0 - REF_ONE)
    }

    /// One more reference that cannot wake, or `None` when there are too many.
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

    /// One reference less, of those that cannot wake.
    pub(super) const fn fewer_non_waking(self) -> Self {
        let one = match self.non_waking() {
            NON_WAKING_UNKNOWN | 0 => 0,
            _ => NON_WAKING_ONE,
        };
        Self(self.fewer_refs().0 - one)
    }

    /// One shield more, and its reference.
    pub(super) const fn more_shield(self) -> Result<Option<Self>, ShieldOverflow> {
        if self.shield() == u16::MAX {
            return Err(ShieldOverflow);
        }
        Ok(match self.more_refs() {
            Some(next) => Some(Self(next.0 + SHIELD_ONE)),
            None => None,
        })
    }

    /// One shield less; its reference stays.
    ///
    /// # Panics
    ///
    /// If there is none: the field would run into its neighbour.
    pub(super) const fn fewer_shield(self) -> Self {
        assert!(self.shield() > 0, "a shield was given back twice");
        Self(self.0 - SHIELD_ONE)
    }
}

/// Which tasks end when nobody can wake them any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::task) enum CancelOrphans {
    /// None.
    Never,
    /// Those that have no handle.
    Detached,
    /// All.
    Always,
}

/// Too many shields are held on one task.
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
