//! All orders in which the holders of a task can act.
//!
//! A world is the word together with who holds what. From a task that was just spawned, every
//! act of every holder is tried in every world that can be reached, with few wakers, shields and
//! so on; after each act the word is compared with the holders. So a reference given back twice
//! or not at all, a wake or a cancellation that is lost, a task freed under somebody's hands or
//! by nobody, or two owners of the join waker's slot, is found whatever sequence leads to it.

use crate::task::outcome::{
    Cancel, Claim, ClaimToRun, DropHandle, JoinSlot, RemoveShield, ToComplete, ToCompleteUnread,
    ToIdle, ToRunning, ToScheduled, ToScheduledByValue,
};
use crate::task::snapshot::{Lifecycle, Snapshot, flag};
use crate::task::state::State;
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
    /// Reports an orphan.
    Reports,
    /// Looks at the task.
    Inspector {
        was_scheduled: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct World {
    word: u64,
    owner: Owner,
    /// Entries in queues, good or stale.
    entries: u8,
    wakers: u8,
    /// Wakers and shields that have submitted the task, and are about to give themselves back.
    leaving: u8,
    shields: u8,
    aborts: u8,
    handle: bool,
    /// The handle's waker is in the slot.
    slot: bool,
    /// A wake came in since the last poll began.
    woken: bool,
    freed: bool,
}

const MOST: u8 = 2;

impl World {
    fn spawned() -> Self {
        Self {
            word: State::new().load().0,
            owner: Owner::Nobody,
            entries: 1,
            wakers: 0,
            leaving: 0,
            shields: 0,
            aborts: 0,
            handle: true,
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
        let good_entry = u8::from(self.now().lifecycle() == Lifecycle::Scheduled);
        let stale = self.entries - good_entry;
        let all = life + stale + self.wakers + self.leaving + self.shields + self.aborts;
        u64::from(all + u8::from(self.handle))
    }

    fn check(self) {
        let now = self.now();
        if self.freed {
            let others = self.wakers + self.leaving + self.shields + self.aborts + self.entries;
            assert_eq!(
                (others, self.handle),
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

    fn acts_of_queue(self, next: &mut Vec<Self>) {
        if self.entries > 0 {
            self.try_act(next, |world| {
                world.entries -= 1;
                match world.act(State::transition_to_running) {
                    ToRunning::Run => world.begin(Owner::Poller),
                    ToRunning::Cancelled => world.begin(Owner::Stopper),
                    ToRunning::Stale => {}
                    ToRunning::StaleLast => world.free(),
                }
            });
        }
    }

    fn begin(&mut self, owner: Owner) {
        assert_eq!(self.owner, Owner::Nobody, "two have the task");
        self.owner = owner;
        if !matches!(owner, Owner::Inspector { .. }) {
            self.woken = false;
        }
    }

    fn acts_of_owner(self, next: &mut Vec<Self>) {
        match self.owner {
            Owner::Nobody => {}
            Owner::Poller => {
                self.try_act(next, Self::pending);
                self.try_act(next, |world| world.finish(false));
                if self.wakers + self.leaving < MOST {
                    self.try_act(next, |world| {
                        world.act(State::add_ref);
                        world.wakers += 1;
                    });
                }
                if self.shields + self.leaving < MOST {
                    self.try_act(next, |world| {
                        world.act(State::add_shield).unwrap();
                        world.shields += 1;
                    });
                }
                self.try_act(next, Self::wake_by_ref);
            }
            Owner::Stopper => self.try_act(next, |world| world.finish(true)),
            Owner::Unread => self.try_act(next, |world| {
                world.owner = Owner::Nobody;
                if world.act(State::transition_to_complete_unread) == ToCompleteUnread::Dealloc {
                    world.free();
                }
            }),
            Owner::WakesJoiner => self.try_act(next, |world| {
                assert!(world.slot, "no waker in the slot");
                world.slot = false;
                world.owner = Owner::Nobody;
                world.give_back();
            }),
            Owner::Reports => self.try_act(next, |world| {
                let answer = world.act(State::transition_to_idle_orphaned);
                world.after_pending(answer);
            }),
            Owner::Inspector { was_scheduled } => self.try_act(next, |world| {
                world.owner = Owner::Nobody;
                match world.act(|state| state.release_claim(was_scheduled)) {
                    ToIdle::Idle => {}
                    ToIdle::Reschedule => world.entries += 1,
                    other => panic!("{other:?}"),
                }
            }),
        }
    }

    fn pending(&mut self) {
        let answer = self.act(State::transition_to_idle);
        self.after_pending(answer);
    }

    fn after_pending(&mut self, answer: ToIdle) {
        self.owner = match answer {
            ToIdle::Idle => Owner::Nobody,
            ToIdle::Reschedule => {
                self.entries += 1;
                Owner::Nobody
            }
            ToIdle::Cancelled => Owner::Stopper,
            ToIdle::Orphaned => {
                assert_eq!(self.wakers + self.leaving, 0, "not an orphan");
                Owner::Reports
            }
        };
    }

    fn finish(&mut self, failed: bool) {
        self.woken = false;
        self.owner = match self.act(|state| state.transition_to_complete(failed)) {
            ToComplete::Done => Owner::Nobody,
            ToComplete::WakeJoiner => Owner::WakesJoiner,
            ToComplete::Unread => Owner::Unread,
        };
    }

    fn give_back(&mut self) {
        if self.act(State::drop_ref) {
            self.free();
        }
    }

    fn wake_by_ref(&mut self) {
        if self.act(State::transition_to_scheduled) == ToScheduled::Submit {
            self.entries += 1;
        }
        self.wake_arrived();
    }

    fn wake_arrived(&mut self) {
        let stopping = matches!(self.owner, Owner::Stopper | Owner::Unread);
        self.woken = !self.freed && !self.now().is_complete() && !stopping;
    }

    fn acts_of_wakers(self, next: &mut Vec<Self>) {
        if self.wakers > 0 {
            self.try_act(next, Self::wake_by_ref);
            self.try_act(next, |world| {
                world.wakers -= 1;
                match world.act(State::transition_to_scheduled_by_value) {
                    ToScheduledByValue::Submit => {
                        world.entries += 1;
                        world.leaving += 1;
                    }
                    ToScheduledByValue::Nothing => {}
                    ToScheduledByValue::Dealloc => world.free(),
                }
                world.wake_arrived();
            });
            self.try_act(next, |world| {
                world.wakers -= 1;
                world.give_back();
            });
        }
        if self.leaving > 0 {
            self.try_act(next, |world| {
                world.leaving -= 1;
                world.give_back();
            });
        }
    }

    fn acts_of_handle(self, next: &mut Vec<Self>) {
        if !self.handle {
            return;
        }
        self.try_act(next, Self::cancel);
        let registered = self.now().has(flag::JOIN_WAKER);
        if registered {
            self.try_act(next, |world| {
                if world.act(State::unset_join_waker) == JoinSlot::Changed {
                    assert!(world.slot);
                    world.slot = false;
                }
            });
        } else {
            self.try_act(next, |world| {
                world.slot = world.act(State::set_join_waker) == JoinSlot::Changed;
            });
        }
        self.try_act(next, |world| match world.act(State::drop_join_handle) {
            DropHandle::Done => world.handle = false,
            DropHandle::Waker => {
                assert!(world.slot);
                world.slot = false;
            }
            DropHandle::Output => {
                world.handle = false;
                world.give_back();
            }
        });
    }

    fn cancel(&mut self) {
        if self.act(State::cancel) == Cancel::Submit {
            self.entries += 1;
        }
    }

    fn acts_of_others(self, next: &mut Vec<Self>) {
        if (self.handle || self.aborts > 0) && self.aborts < MOST {
            self.try_act(next, |world| {
                world.act(State::add_bystander);
                world.aborts += 1;
            });
        }
        if self.aborts > 0 {
            self.try_act(next, Self::cancel);
            self.try_act(next, |world| {
                world.aborts -= 1;
                if world.act(State::drop_bystander) {
                    world.free();
                }
            });
            // An inspector keeps its reference until it has given the task back.
            let inspected = matches!(self.owner, Owner::Inspector { .. });
            if self.entries <= MOST && !inspected {
                self.try_act(next, |world| match world.act(State::claim) {
                    Claim::WasIdle => world.begin(Owner::Inspector {
                        was_scheduled: false,
                    }),
                    Claim::WasScheduled => world.begin(Owner::Inspector {
                        was_scheduled: true,
                    }),
                    Claim::Refused(_) => {}
                });
                self.try_act(next, |world| match world.act(State::claim_to_run) {
                    ClaimToRun::Run => world.begin(Owner::Poller),
                    ClaimToRun::Cancelled => world.begin(Owner::Stopper),
                    ClaimToRun::Refused(_) => {}
                });
            }
        }
        if self.shields > 0 {
            self.try_act(next, |world| {
                world.shields -= 1;
                match world.act(State::remove_shield) {
                    RemoveShield::Done => {}
                    RemoveShield::Submit => {
                        world.entries += 1;
                        world.leaving += 1;
                    }
                    RemoveShield::Dealloc => world.free(),
                }
            });
        }
    }
}

#[test]
fn every_order_of_acts_keeps_the_books() {
    let mut seen = HashSet::new();
    let mut open = vec![World::spawned()];
    while let Some(world) = open.pop() {
        if !seen.insert(world) {
            continue;
        }
        open.extend(world.next());
    }
    assert!(seen.len() > 10_000 && seen.iter().any(|world| world.freed));
}
