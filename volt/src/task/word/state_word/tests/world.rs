//! All orders in which the holders of a task can act.
//!
//! A world is the word together with who holds what. From a task that was just spawned, every
//! act of every holder is tried in every world that can be reached, with few wakers, shields and
//! so on; after each act the word is compared with the holders. So a reference given back twice
//! or not at all, a wake or a cancellation that is lost, a task freed under somebody's hands or
//! by nobody, or two owners of the join waker's slot, is found whatever sequence leads to it.

mod acts;

use crate::task::word::snapshot::{CancelOrphans, Lifecycle, Snapshot, flag};
use crate::task::word::state_word::State;
use std::collections::HashSet;

/// What the thread is at that has the running task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    Nobody,
    /// Polls the future.
    Poller,
    /// Drops the future.
    Stopper,
    /// Drops the output that nobody will read.
    Unread,
    /// Takes the joiner's waker; the task is complete.
    WakesJoiner,
    /// Reports an orphan, after a poll or after a claim.
    Reports {
        claimed: bool,
    },
    /// Has reported an orphan after a poll.
    Reported,
    /// Looks at the task.
    Inspector {
        was_scheduled: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct World {
    word: u64,
    /// What happens to orphans.
    ending: CancelOrphans,
    owner: Owner,
    /// Entries in queues, good or stale.
    entries: u8,
    wakers: u8,
    /// Wakers and shields that have submitted the task, and are about to give themselves back.
    leaving: u8,
    shields: u8,
    aborts: u8,
    handle: bool,
    /// The handle is gone, and whoever had it is about to end an orphan.
    looking_back: bool,
    /// The handle's waker is in the slot.
    slot: bool,
    /// A wake came in since the last poll began.
    woken: bool,
    freed: bool,
}

const MOST: u8 = 2;

impl World {
    fn spawned(ending: CancelOrphans) -> Self {
        Self {
            word: State::new().load().0,
            ending,
            owner: Owner::Nobody,
            entries: 1,
            wakers: 0,
            leaving: 0,
            shields: 0,
            aborts: 0,
            handle: true,
            looking_back: false,
            slot: false,
            woken: false,
            freed: false,
        }
    }

    fn now(self) -> Snapshot {
        Snapshot(self.word)
    }

    /// Does `operation` to the word.
    fn act<R>(&mut self, operation: impl FnOnce(&State) -> R) -> R {
        assert!(!self.freed, "used after it was freed");
        let state = State::at(self.now());
        let answer = operation(&state);
        self.word = state.load().0;
        answer
    }

    fn free(&mut self) {
        assert!(!self.freed, "freed twice");
        self.freed = true;
    }

    /// The number of references there are.
    fn holders(self) -> u64 {
        let complete = self.now().is_complete();
        let life = u8::from(!complete || self.owner == Owner::WakesJoiner);
        let scheduled = self.now().lifecycle() == Lifecycle::Scheduled;
        let good_entry = u8::from(scheduled || self.now().is_claimed());
        let stale = self.entries - good_entry;
        let all = life + stale + self.wakers + self.leaving + self.shields + self.aborts;
        u64::from(all + u8::from(self.handle) + u8::from(self.looking_back))
    }

    fn orphans_may_stay(self) -> bool {
        match self.ending {
            CancelOrphans::Never => true,
            CancelOrphans::Detached => self.handle || self.looking_back,
            CancelOrphans::Always => false,
        }
    }

    fn check(self) {
        let now = self.now();
        if self.freed {
            let others = self.wakers + self.leaving + self.shields + self.aborts + self.entries;
            assert_eq!(
                (others, self.handle || self.looking_back),
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
            let told = wakers != Some(0) || now.has(flag::ORPHANED);
            assert!(!idle || told, "an orphan was overlooked: {self:?}");
            let may_stay = wakers != Some(0) || self.orphans_may_stay();
            assert!(!idle || may_stay, "an orphan was kept: {self:?}");
            assert_eq!(now.has(flag::JOIN_INTEREST), self.handle);
            assert_eq!(now.has(flag::DETACHED), !self.handle);
        }
        let owned = !matches!(self.owner, Owner::Nobody | Owner::WakesJoiner);
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

    /// All worlds that are one act away.
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
fn every_order_of_acts_keeps_the_books() {
    for ending in [
        CancelOrphans::Never,
        CancelOrphans::Detached,
        CancelOrphans::Always,
    ] {
        let mut seen = HashSet::new();
        let mut open = vec![World::spawned(ending)];
        while let Some(world) = open.pop() {
            if !seen.insert(world) {
                continue;
            }
            open.extend(world.next());
        }
        assert!(seen.len() > 10_000 && seen.iter().any(|world| world.freed));
    }
}
