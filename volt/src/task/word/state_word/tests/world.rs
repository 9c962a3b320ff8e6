//! An exhaustive search over all orders in which the holders of a task can act.
//!
//! A world is the word, and the holders of its references. The search begins with a task that was
//! just spawned. It tries every act of every holder in every reachable world, with few wakers and
//! shields, and compares the word with the holders after each act. So it finds a reference that is
//! dropped twice or never, a lost wake or cancellation, a task that is freed too early or never,
//! and a slot of the join waker with two owners.

mod acts;

use crate::task::word::snapshot::{CancelOrphans, ClaimedFrom, Lifecycle, Snapshot, flag};
use crate::task::word::state_word::StateWord;
use std::collections::HashSet;

/// The work of the thread that owns the running task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    None,
    /// It polls the future.
    Poller,
    /// It drops the future.
    Stopper,
    /// It drops the output of a task without a handle.
    Unread,
    /// It takes the waker of the joiner. The task is complete.
    WakesJoiner,
    /// It reports an orphan, after a poll.
    ReportsAfterPoll,
    /// It reports an orphan, after a claim.
    ReportsAfterClaim,
    /// It has reported an orphan, after a poll.
    Reported,
    /// It inspects the task.
    Inspector(ClaimedFrom),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct World {
    word: u64,
    /// The policy for orphans.
    policy: CancelOrphans,
    owner: Owner,
    /// The entries in queues, valid or stale.
    entries: u8,
    wakers: u8,
    /// Wakers and shields that have submitted the task, and still have their reference.
    leaving: u8,
    shields: u8,
    aborts: u8,
    handle: bool,
    /// The handle is dropped, and its thread is about to cancel an orphan.
    cancels_orphan: bool,
    /// The slot contains the waker of the handle.
    slot: bool,
    /// The task was woken since its last poll began.
    woken: bool,
    freed: bool,
}

const MOST: u8 = 2;

impl World {
    fn spawned(policy: CancelOrphans) -> Self {
        Self {
            word: StateWord::new().load().0,
            policy,
            owner: Owner::None,
            entries: 1,
            wakers: 0,
            leaving: 0,
            shields: 0,
            aborts: 0,
            handle: true,
            cancels_orphan: false,
            slot: false,
            woken: false,
            freed: false,
        }
    }

    fn now(self) -> Snapshot {
        Snapshot(self.word)
    }

    /// Applies `operation` to the word.
    fn act<R>(&mut self, operation: impl FnOnce(&StateWord) -> R) -> R {
        assert!(!self.freed, "used after it was freed");
        let state = StateWord::at(self.now());
        let result = operation(&state);
        self.word = state.load().0;
        result
    }

    fn free(&mut self) {
        assert!(!self.freed, "freed twice");
        self.freed = true;
    }

    /// Returns the number of references of all holders.
    fn holders(self) -> u64 {
        let complete = self.now().is_complete();
        let life = u8::from(!complete || self.owner == Owner::WakesJoiner);
        let scheduled = self.now().lifecycle() == Lifecycle::Scheduled;
        let valid_entry = u8::from(scheduled || self.now().is_claimed());
        let stale = self.entries - valid_entry;
        let all = life + stale + self.wakers + self.leaving + self.shields + self.aborts;
        u64::from(all + u8::from(self.handle) + u8::from(self.cancels_orphan))
    }

    fn orphans_may_stay(self) -> bool {
        match self.policy {
            CancelOrphans::Never => true,
            CancelOrphans::Detached => self.handle || self.cancels_orphan,
            CancelOrphans::Always => false,
        }
    }

    fn check(self) {
        let now = self.now();
        if self.freed {
            let others = self.wakers + self.leaving + self.shields + self.aborts + self.entries;
            assert_eq!(
                (others, self.handle || self.cancels_orphan),
                (0, false),
                "freed too early: {self:?}"
            );
            return;
        }
        assert_eq!(now.refs(), self.holders(), "{now:?} {self:?}");
        assert_ne!(now.refs(), 0, "leaked: {self:?}");
        let complete = now.is_complete();
        if !complete {
            let wakers = Some(u64::from(self.wakers + self.leaving));
            assert_eq!(now.wakers(), wakers, "{now:?} {self:?}");
            let idle = now.lifecycle() == Lifecycle::Idle;
            let is_reported = wakers != Some(0) || now.has(flag::ORPHANED);
            assert!(!idle || is_reported, "an orphan was overlooked: {self:?}");
            let may_stay = wakers != Some(0) || self.orphans_may_stay();
            assert!(!idle || may_stay, "an orphan was not cancelled: {self:?}");
            assert_eq!(now.has(flag::JOIN_INTEREST), self.handle);
            assert_eq!(now.has(flag::DETACHED), !self.handle);
        }
        let owned = !matches!(self.owner, Owner::None | Owner::WakesJoiner);
        assert_eq!(owned, now.lifecycle() == Lifecycle::Running, "{self:?}");
        let idle = now.lifecycle() == Lifecycle::Idle;
        assert!(!(idle && self.woken), "a wake was lost: {self:?}");
        assert!(
            !(idle && now.must_stop()),
            "a cancellation was lost: {self:?}"
        );
        let scheduled = now.lifecycle() == Lifecycle::Scheduled;
        assert!(!scheduled || self.entries > 0, "in no queue: {self:?}");
    }

    /// Returns all worlds that are one act away.
    fn next(self) -> Vec<Self> {
        let mut next = Vec::new();
        if self.freed {
            return next;
        }
        self.acts_of_queue(&mut next);
        self.acts_of_owner(&mut next);
        self.acts_of_wakers(&mut next);
        self.acts_of_handle(&mut next);
        self.acts_of_others(&mut next);
        next
    }

    fn try_act(self, next: &mut Vec<Self>, act: impl FnOnce(&mut Self)) {
        let mut world = self;
        act(&mut world);
        world.check();
        next.push(world);
    }
}

#[test]
fn every_order_of_acts_keeps_the_counts() {
    for policy in [
        CancelOrphans::Never,
        CancelOrphans::Detached,
        CancelOrphans::Always,
    ] {
        let mut seen = HashSet::new();
        let mut open = vec![World::spawned(policy)];
        while let Some(world) = open.pop() {
            if !seen.insert(world) {
                continue;
            }
            open.extend(world.next());
        }
        assert!(seen.len() > 10_000 && seen.iter().any(|world| world.freed));
    }
}
