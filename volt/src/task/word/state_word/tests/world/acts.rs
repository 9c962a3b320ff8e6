//! What each of the holders can do.

use super::{MOST, Owner, World};
use crate::task::word::outcome::{
    Cancel, Claim, ClaimToRun, DropHandle, DropWaker, JoinSlot, RemoveShield, ToComplete,
    ToCompleteUnread, ToIdle, ToRunning, ToScheduled, ToScheduledByValue,
};
use crate::task::word::snapshot::{CancelOrphans, flag};
use crate::task::word::state_word::State;

impl World {
    pub(super) fn acts_of_queue(self, next: &mut Vec<Self>) {
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

    pub(super) fn acts_of_owner(self, next: &mut Vec<Self>) {
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
                world.drop_ref();
            }),
            Owner::Reports { claimed } => {
                self.try_act(next, |world| {
                    let ending = world.ending;
                    world.act(|state| state.mark_orphaned(ending));
                    world.owner = match claimed {
                        true => Owner::Inspector {
                            was_scheduled: false,
                        },
                        false => Owner::Reported,
                    };
                });
            }
            Owner::Reported => self.try_act(next, Self::pending),
            Owner::Inspector { was_scheduled } => {
                self.try_act(next, |world| world.end_look(was_scheduled));
                self.try_act(next, |world| {
                    world.act(State::keep_claim);
                    world.woken = false;
                    world.owner = Owner::Stopper;
                });
            }
        }
    }

    fn end_look(&mut self, was_scheduled: bool) {
        self.owner = Owner::Nobody;
        match self.act(|state| state.release_claim(was_scheduled)) {
            ToIdle::Idle => {}
            ToIdle::Queued => assert!(self.entries > 0),
            ToIdle::Reschedule => self.entries += 1,
            ToIdle::Orphaned => self.report(true),
            ToIdle::Cancelled => panic!("it is queued instead"),
        }
    }

    /// Somebody has found that nobody can wake the task.
    fn report(&mut self, claimed: bool) {
        assert_eq!(self.wakers + self.leaving, 0, "not an orphan");
        assert!(!self.now().has(flag::ORPHANED), "reported twice");
        self.owner = Owner::Reports { claimed };
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
            ToIdle::Orphaned => return self.report(false),
            ToIdle::Queued => panic!("nobody looked at it"),
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

    fn drop_ref(&mut self) {
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

    pub(super) fn acts_of_wakers(self, next: &mut Vec<Self>) {
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
                world.drop_waker();
            });
        }
        if self.leaving > 0 {
            self.try_act(next, |world| {
                world.leaving -= 1;
                world.drop_waker();
            });
        }
    }

    fn drop_waker(&mut self) {
        match self.act(State::drop_waker) {
            DropWaker::Done => {}
            DropWaker::Dealloc => self.free(),
            DropWaker::Orphaned => {
                assert_eq!(self.owner, Owner::Nobody, "two have the task");
                self.report(true);
            }
        }
    }

    pub(super) fn acts_of_handle(self, next: &mut Vec<Self>) {
        if self.looking_back {
            self.try_act(next, Self::cancel_orphan);
        }
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
        self.try_act(next, Self::drop_handle);
    }

    fn drop_handle(&mut self) {
        let looks_back =
            self.ending == CancelOrphans::Detached && !self.now().has(flag::JOIN_WAKER);
        if looks_back {
            self.act(State::add_non_waking);
            self.looking_back = true;
        }
        match self.act(State::drop_join_handle) {
            DropHandle::Done => self.handle = false,
            DropHandle::Waker => {
                assert!(self.slot);
                self.slot = false;
            }
            DropHandle::Output => {
                self.handle = false;
                self.drop_ref();
            }
        }
    }

    fn cancel_orphan(&mut self) {
        self.looking_back = false;
        if self.act(State::cancel_orphan) == Cancel::Submit {
            self.entries += 1;
        }
        if self.act(State::drop_non_waking) {
            self.free();
        }
    }

    fn cancel(&mut self) {
        if self.act(State::cancel) == Cancel::Submit {
            self.entries += 1;
        }
    }

    pub(super) fn acts_of_others(self, next: &mut Vec<Self>) {
        if (self.handle || self.aborts > 0) && self.aborts < MOST {
            self.try_act(next, |world| {
                world.act(State::add_non_waking);
                world.aborts += 1;
            });
        }
        if self.aborts > 0 {
            self.try_act(next, Self::cancel);
            self.try_act(next, |world| {
                world.aborts -= 1;
                if world.act(State::drop_non_waking) {
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
