//! A task in the hands of one who does not run it.

#[cfg(not(any(loom, all(test, shuttle))))]
use super::inspection_map::positions;
use crate::machine;
use crate::task::reference::RawTask;
use crate::task::word::{Claim, Lifecycle, ToIdle};

/// A task that was claimed; it goes back when this is dropped.
pub(in crate::task) struct ClaimGuard<'a> {
    task: &'a RawTask,
    was_scheduled: bool,
}

impl ClaimGuard<'_> {
    /// Where the task was.
    pub(in crate::task) fn lifecycle(&self) -> Lifecycle {
        match self.was_scheduled {
            true => Lifecycle::Scheduled,
            false => Lifecycle::Idle,
        }
    }

    /// The states that its future is in.
    pub(in crate::task) fn position(&self) -> Vec<&'static machine::State> {
        let position = self.task.header().vtable.position;
        // SAFETY: I2, I3: the claim gave us the task, which was not complete.
        unsafe { position(self.task.as_raw()) }
    }

    /// The states of the machines in it that are registered, a list each.
    #[cfg(not(any(loom, all(test, shuttle))))]
    pub(super) fn positions_within(&self) -> Vec<Vec<&'static machine::State>> {
        let task = self.task.as_raw().addr().get();
        // SAFETY: the task is claimed.
        unsafe { positions(task) }
    }

    #[cfg(any(loom, all(test, shuttle)))]
    #[expect(clippy::unused_self, reason = "as elsewhere")]
    pub(super) fn positions_within(&self) -> Vec<Vec<&'static machine::State>> {
        Vec::new()
    }

    /// Says that nobody can wake the task any more.
    #[cold]
    fn report_orphan(&self) {
        let report_orphan = self.task.header().vtable.report_orphan;
        // SAFETY: I2, I3: the claim gave us the task, which was not complete.
        unsafe { report_orphan(self.task.as_raw()) };
    }

    /// Drops the future and completes the task.
    pub(in crate::task) fn stop(self) {
        self.task.state().keep_claim();
        let task = self.task.as_raw();
        std::mem::forget(self);
        // SAFETY: I2: the claim gave us the task and its life reference.
        let life = unsafe { RawTask::from_raw(task) };
        // SAFETY: As above.
        drop(unsafe { life.stop() });
    }
}

impl Drop for ClaimGuard<'_> {
    fn drop(&mut self) {
        let state = self.task.state();
        let mut next = state.release_claim(self.was_scheduled);
        if next == ToIdle::Orphaned {
            self.report_orphan();
            next = state.release_claim(self.was_scheduled);
        }
        if next == ToIdle::Reschedule {
            let reschedule = self.task.header().vtable.reschedule;
            // SAFETY: The word left us the life reference, and `task` is another one.
            unsafe { reschedule(self.task.as_raw()) };
        }
    }
}

impl RawTask {
    /// Takes a task that waits or is queued out of everybody's hands.
    pub(in crate::task) fn claim(&self) -> Result<ClaimGuard<'_>, Lifecycle> {
        let was_scheduled = match self.state().claim() {
            Claim::WasIdle => false,
            Claim::WasScheduled => true,
            Claim::Refused(lifecycle) => return Err(lifecycle),
        };
        Ok(ClaimGuard {
            task: self,
            was_scheduled,
        })
    }

    /// Reports a task that was idle, and lets it wait on.
    ///
    /// # Safety
    ///
    /// - The task is running, and the caller's; `self` is its life reference.
    #[cold]
    pub(in crate::task) unsafe fn report_idle_orphan(self) {
        // Whether the life reference is still ours in the end is for the word to say.
        let keeper = self.clone_non_waking();
        let claimed = ClaimGuard {
            task: &keeper,
            was_scheduled: false,
        };
        claimed.report_orphan();
        drop(claimed);
        keeper.drop_non_waking();
    }
}
