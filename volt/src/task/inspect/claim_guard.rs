//! The claim of a task for inspection.

#[cfg(not(any(loom, all(test, shuttle))))]
use super::inspection_map::positions;
#[cfg(any(feature = "inspect", all(test, loom)))]
use super::inspection_poll::InspectionPoll;
#[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
use super::waker_drops;
use crate::machine;
#[cfg(any(feature = "inspect", all(test, loom)))]
use crate::task::current_task;
use crate::task::reference::RawTask;
#[cfg(any(feature = "inspect", all(test, loom)))]
use crate::task::reference::{RawRunOutcome, WakerTable, record_clones};
use crate::task::word::{Claim, ClaimedFrom, Lifecycle, ReleaseClaim};
use volt_inspect::Visitor;

/// A claimed task, which is released when the guard is dropped.
pub(in crate::task) struct ClaimGuard<'a> {
    task: &'a RawTask,
    from: ClaimedFrom,
}

impl ClaimGuard<'_> {
    /// Returns the state of the task before the claim.
    pub(super) fn lifecycle(&self) -> Lifecycle {
        match self.from {
            ClaimedFrom::Idle => Lifecycle::Idle,
            ClaimedFrom::Queue => Lifecycle::Scheduled,
        }
    }

    /// Returns the states of the future.
    pub(in crate::task) fn position(&self) -> Vec<&'static machine::State> {
        let position = self.task.header().vtable.position;
        // SAFETY: I2, I3: the guard owns the claimed task, which was not complete.
        unsafe { position(self.task.as_raw()) }
    }

    /// Passes the tree of futures in the task to a visitor.
    pub(in crate::task) fn inspect(&self, visitor: &mut dyn Visitor) {
        let inspect = self.task.header().vtable.inspect;
        // SAFETY: I2, I3: the guard owns the claimed task, which was not complete.
        unsafe { inspect(self.task.as_raw(), visitor) };
    }

    /// Returns the states of each registered machine in the task.
    #[cfg(not(any(loom, all(test, shuttle))))]
    pub(super) fn positions_within(&self) -> Vec<Vec<&'static machine::State>> {
        let task = self.task.as_raw().addr().get();
        // SAFETY: The task is claimed.
        unsafe { positions(task) }
    }

    #[cfg(any(loom, all(test, shuttle)))]
    #[expect(clippy::unused_self, reason = "the other configuration uses it")]
    pub(super) fn positions_within(&self) -> Vec<Vec<&'static machine::State>> {
        Vec::new()
    }

    /// Reports that the task has no waker left.
    #[cold]
    fn report_orphan(&self) {
        let report_orphan = self.task.header().vtable.report_orphan;
        // SAFETY: I2, I3: the guard owns the claimed task, which was not complete.
        unsafe { report_orphan(self.task.as_raw()) };
    }

    /// Polls the future of a task that was idle, with a waker of this table, which records clones.
    ///
    /// The number of polls and the time of the last poll stay as they were.
    #[cfg(any(feature = "inspect", all(test, loom)))]
    pub(super) fn poll_recorded(self, table: WakerTable) -> InspectionPoll {
        debug_assert_eq!(self.from, ClaimedFrom::Idle);
        let task = self.task;
        std::mem::forget(self);
        let header = task.header();
        let (now, since) = (current_task::clock(), header.since());
        // Another thread can poll the task as soon as the claim ends.
        let polls = header.polls();
        header.uncount_next_poll();
        // SAFETY: I2: the guard owned the claimed task and its life reference.
        let life = unsafe { RawTask::from_raw(task.as_raw()) };
        // SAFETY: I2, as for the reference.
        let poll = || unsafe { life.poll(table) };
        let (outcome, traces, clones) = record_clones(poll);
        match outcome {
            RawRunOutcome::Idle => header.restore_since(now, since),
            RawRunOutcome::Woken(life) => {
                let reschedule = header.vtable.reschedule;
                // SAFETY: `life` is the life reference, and `task` is another one.
                unsafe { reschedule(life.as_raw()) };
            }
            RawRunOutcome::Complete | RawRunOutcome::Cancelled | RawRunOutcome::Stale => {
                return InspectionPoll::Ended;
            }
        }
        InspectionPoll::Pending {
            traces,
            clones,
            polls,
        }
    }

    /// Drops the future and completes the task.
    pub(in crate::task) fn stop(self) {
        self.task.state().keep_claim();
        let task = self.task.as_raw();
        std::mem::forget(self);
        // SAFETY: I2: the guard owned the claimed task and its life reference.
        let life = unsafe { RawTask::from_raw(task) };
        // SAFETY: I2, as for the reference.
        drop(unsafe { life.stop() });
    }
}

impl Drop for ClaimGuard<'_> {
    fn drop(&mut self) {
        let state = self.task.state();
        let mut released = state.release_claim(self.from);
        if released == ReleaseClaim::Orphaned {
            self.report_orphan();
            released = state.release_claim(self.from);
        }
        if released == ReleaseClaim::Reschedule {
            let reschedule = self.task.header().vtable.reschedule;
            // SAFETY: The guard still owns the life reference, and `task` is another one.
            unsafe { reschedule(self.task.as_raw()) };
        }
    }
}

impl RawTask {
    /// Claims the task if it is idle or queued.
    ///
    /// # Errors
    ///
    /// Returns the state of a task that runs or is complete.
    pub(in crate::task) fn claim(&self) -> Result<ClaimGuard<'_>, Lifecycle> {
        match self.state().claim() {
            Claim::Claimed(from) => Ok(ClaimGuard { task: self, from }),
            Claim::Refused(lifecycle) => Err(lifecycle),
        }
    }

    /// Reports an orphan that was idle, and releases it.
    ///
    /// # Safety
    ///
    /// - The task is running and belongs to the caller, and `self` is its life reference.
    #[cold]
    pub(in crate::task) unsafe fn report_idle_orphan(self) {
        // The release of the claim passes the life reference on, so another one keeps the task
        // alive.
        let keeper = self.clone_non_waking();
        let claim = ClaimGuard {
            task: &keeper,
            from: ClaimedFrom::Idle,
        };
        #[cfg(all(feature = "inspect", not(any(loom, all(test, shuttle)))))]
        waker_drops::record_drop(keeper.runtime_id(), keeper.id());
        claim.report_orphan();
        drop(claim);
        keeper.drop_non_waking();
    }
}
