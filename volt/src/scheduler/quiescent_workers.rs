//! Quiescence of the workers, which lets the time of a paused clock pass.
//!
//! A worker that parks announces itself, and checks its queues once more. So an announced worker
//! may be about to wake up. It wakes up by itself only if
//!
//! 1. a thread queued a task and claimed no sleeper, because this worker still searched: then the
//!    task is in a queue;
//! 2. wakers that it called in the driver filled its own queues, including the LIFO slot;
//! 3. a worker that is awake has deferred the notification for tasks in its ring, and the clock was
//!    paused since.
//!
//! A worker parks only after all tasks that it queued were taken, by itself or by a worker that is
//! awake. So the queues are checked first, and then the workers: if all sleep by then, all tasks
//! that were taken meanwhile have been polled. The bits of more than 64 workers are not read at one
//! moment. But a worker that woke another between two reads has parked since, and that is counted.
//!
//! The [`BusyCount`](crate::driver::BusyCount) counts threads that are not workers.

use crate::loom::sync::atomic::Ordering::SeqCst;
use crate::loom::sync::atomic::fence;

use super::shared::{Remote, Shared};

impl Shared {
    /// Returns `true` if no worker has a task to poll.
    pub(super) fn is_quiescent(&self) -> bool {
        let before = self.park_attempts();
        // ORDERING: SeqCst, pairs with the fence in `IdleSet::announce`: all that was counted and
        // queued before it is visible to the checks after this fence.
        fence(SeqCst);
        if self.holds_tasks() || !self.idle.are_all_asleep() {
            return false;
        }
        fence(SeqCst);
        self.park_attempts() == before
    }

    /// Interrupts the worker in the driver slot if all workers sleep under a paused clock, so that
    /// it checks again whether time may pass.
    pub(super) fn notify_if_quiescent(&self) {
        if self.driver_handle.is_paused() && self.idle.are_all_asleep() {
            self.driver_handle.unpark();
        }
    }

    fn holds_tasks(&self) -> bool {
        !self.injector.is_empty() || self.remotes.iter().any(Remote::holds_tasks)
    }

    fn park_attempts(&self) -> u64 {
        let times = self
            .remotes
            .iter()
            .map(|remote| remote.counters.park_attempts.get());
        times.fold(0, u64::wrapping_add)
    }
}
