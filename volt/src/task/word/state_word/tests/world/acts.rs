//! The acts of each holder.

use super::{MOST, Owner, World};
use crate::task::word::outcome::{
    Cancel, Claim, ClaimToRun, Completion, DropHandle, DropWaker, JoinSlot, ReleaseClaim,
    RemoveShield, StartPoll, Suspend, UnreadCompletion, WakeByRef, WakeByValue,
};
use crate::task::word::snapshot::{CancelOrphans, ClaimedFrom, ResultKind, flag};
use crate::task::word::state_word::StateWord;

impl World {
    pub(super) fn acts_of_queue(self, next: &mut Vec<Self>) {
        if self.entries > 0 {
            self.try_act(next, |world| {
                world.entries -= 1;
                match world.act(StateWord::start_poll) {
                    StartPoll::Run => world.begin(Owner::Poller),
                    StartPoll::Cancelled => world.begin(Owner::Stopper),
                    StartPoll::Stale => {}
                    StartPoll::StaleLast => world.free(),
                }
            });
        }
    }

    fn begin(&mut self, owner: Owner) {
        assert_eq!(self.owner, Owner::None, "two have the task");
        self.owner = owner;
        if !matches!(owner, Owner::Inspector(_)) {
            self.woken = false;
        }
    }

    pub(super) fn acts_of_owner(self, next: &mut Vec<Self>) {
        match self.owner {
            Owner::None => {}
            Owner::Poller => {
                self.try_act(next, Self::pending);
                self.try_act(next, |world| world.finish(ResultKind::Output));
                if self.wakers + self.leaving < MOST {
                    self.try_act(next, |world| {
                        world.act(StateWord::add_ref);
                        world.wakers += 1;
                    });
                }
                if self.shields + self.leaving < MOST {
                    self.try_act(next, |world| {
                        world.act(StateWord::add_shield).unwrap();
                        world.shields += 1;
                    });
                }
                self.try_act(next, Self::wake_by_ref);
            }
            Owner::Stopper => self.try_act(next, |world| world.finish(ResultKind::Failure)),
            Owner::Unread => self.try_act(next, |world| {
                world.owner = Owner::None;
                if world.act(StateWord::complete_unread) == UnreadCompletion::Dealloc {
                    world.free();
                }
            }),
            Owner::WakesJoiner => self.try_act(next, |world| {
                assert!(world.slot, "no waker in the slot");
                world.slot = false;
                world.owner = Owner::None;
                world.drop_ref();
            }),
            Owner::ReportsAfterPoll => {
                self.try_act(next, |world| world.mark_orphaned(Owner::Reported));
            }
            Owner::ReportsAfterClaim => self.try_act(next, |world| {
                world.mark_orphaned(Owner::Inspector(ClaimedFrom::Idle));
            }),
            Owner::Reported => self.try_act(next, Self::pending),
            Owner::Inspector(from) => {
                self.try_act(next, |world| world.release_claim(from));
                self.try_act(next, |world| {
                    world.act(StateWord::keep_claim);
                    world.woken = false;
                    world.owner = Owner::Stopper;
                });
            }
        }
    }

    fn release_claim(&mut self, from: ClaimedFrom) {
        self.owner = Owner::None;
        match self.act(|state| state.release_claim(from)) {
            ReleaseClaim::Idle => {}
            ReleaseClaim::Queued => assert!(self.entries > 0),
            ReleaseClaim::Reschedule => self.entries += 1,
            ReleaseClaim::Orphaned => self.report(Owner::ReportsAfterClaim),
        }
    }

    /// Records that a thread has found the task without a waker.
    fn report(&mut self, owner: Owner) {
        assert_eq!(self.wakers + self.leaving, 0, "not an orphan");
        assert!(!self.now().has(flag::ORPHANED), "reported twice");
        self.owner = owner;
    }

    fn mark_orphaned(&mut self, owner: Owner) {
        let policy = self.policy;
        self.act(|state| state.mark_orphaned(policy));
        self.owner = owner;
    }

    fn pending(&mut self) {
        self.owner = match self.act(StateWord::suspend) {
            Suspend::Idle => Owner::None,
            Suspend::Reschedule => {
                self.entries += 1;
                Owner::None
            }
            Suspend::Cancelled => Owner::Stopper,
            Suspend::Orphaned => return self.report(Owner::ReportsAfterPoll),
        };
    }

    fn finish(&mut self, result: ResultKind) {
        self.woken = false;
        self.owner = match self.act(|state| state.complete(result)) {
            Completion::Done => Owner::None,
            Completion::WakeJoiner => Owner::WakesJoiner,
            Completion::Unread => Owner::Unread,
        };
    }

    fn drop_ref(&mut self) {
        if self.act(StateWord::drop_ref) {
            self.free();
        }
    }

    fn wake_by_ref(&mut self) {
        if self.act(StateWord::wake_by_ref) == WakeByRef::Submit {
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
                match world.act(StateWord::wake_by_value) {
                    WakeByValue::Submit => {
                        world.entries += 1;
                        world.leaving += 1;
                    }
                    WakeByValue::Nothing => {}
                    WakeByValue::Dealloc => world.free(),
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
        match self.act(StateWord::drop_waker) {
            DropWaker::Done => {}
            DropWaker::Dealloc => self.free(),
            DropWaker::Orphaned => {
                assert_eq!(self.owner, Owner::None, "two have the task");
                self.report(Owner::ReportsAfterClaim);
            }
        }
    }

    pub(super) fn acts_of_handle(self, next: &mut Vec<Self>) {
        if self.cancels_orphan {
            self.try_act(next, Self::cancel_orphan);
        }
        if !self.handle {
            return;
        }
        self.try_act(next, Self::cancel);
        let registered = self.now().has(flag::JOIN_WAKER);
        if registered {
            self.try_act(next, |world| {
                if world.act(StateWord::unset_join_waker) == JoinSlot::Changed {
                    assert!(world.slot);
                    world.slot = false;
                }
            });
        } else {
            self.try_act(next, |world| {
                world.slot = world.act(StateWord::set_join_waker) == JoinSlot::Changed;
            });
        }
        self.try_act(next, Self::drop_handle);
    }

    fn drop_handle(&mut self) {
        let cancels_orphan =
            self.policy == CancelOrphans::Detached && !self.now().has(flag::JOIN_WAKER);
        if cancels_orphan {
            self.act(StateWord::add_non_waking);
            self.cancels_orphan = true;
        }
        match self.act(StateWord::drop_join_handle) {
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
        self.cancels_orphan = false;
        if self.act(StateWord::cancel_orphan) == Cancel::Submit {
            self.entries += 1;
        }
        if self.act(StateWord::drop_non_waking) {
            self.free();
        }
    }

    fn cancel(&mut self) {
        if self.act(StateWord::cancel) == Cancel::Submit {
            self.entries += 1;
        }
    }

    pub(super) fn acts_of_others(self, next: &mut Vec<Self>) {
        if (self.handle || self.aborts > 0) && self.aborts < MOST {
            self.try_act(next, |world| {
                world.act(StateWord::add_non_waking);
                world.aborts += 1;
            });
        }
        if self.aborts > 0 {
            self.try_act(next, Self::cancel);
            self.try_act(next, |world| {
                world.aborts -= 1;
                if world.act(StateWord::drop_non_waking) {
                    world.free();
                }
            });
            // An inspector keeps its reference until it has released the claim.
            let inspected = matches!(self.owner, Owner::Inspector(_));
            if self.entries <= MOST && !inspected {
                self.try_act(next, |world| match world.act(StateWord::claim) {
                    Claim::Claimed(from) => world.begin(Owner::Inspector(from)),
                    Claim::Refused(_) => {}
                });
                self.try_act(next, |world| match world.act(StateWord::claim_to_run) {
                    ClaimToRun::Run => world.begin(Owner::Poller),
                    ClaimToRun::Cancelled => world.begin(Owner::Stopper),
                    ClaimToRun::Refused(_) => {}
                });
            }
        }
        if self.shields > 0 {
            self.try_act(next, |world| {
                world.shields -= 1;
                match world.act(StateWord::remove_shield) {
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
