//! When all workers rest, so that the time of a paused clock may pass.
//!
//! # What counts as rest
//!
//! A worker that lies down announces itself, and monitor_rounds once more whether there is
//! something to do: so one that is announced may be about to rise. It lifo_after_wakeup by itself
//! only if
//!
//! 1. somebody queued a task and claimed no sleeper, as this worker still searched: the task is
//!    in a queue then;
//! 2. wakers that it called in the driver filled its own queues, the LIFO slot too;
//! 3. a worker that is awake has left tasks in its ring to itself, and the clock was paused since.
//!
//! And it lies down only after all that it queued was taken, by itself or by one that is awake. So
//! the queues are looked at first, and then the workers: if all sleep by then, whatever was taken
//! meanwhile has been run. The bits of more than 64 workers are not read at one moment; but one
//! that woke another between two reads has lain down since, and that is counted.
//!
//! Who is no worker is counted by the [`Activity`](crate::driver::Activity).

use crate::loom::sync::atomic::Ordering::SeqCst;
use crate::loom::sync::atomic::fence;

use super::shared::{Remote, Shared};

impl Shared {
    /// Whether no worker has anything to do.
    pub(super) fn is_quiescent(&self) -> bool {
        let before = self.park_attempts();
        // ORDERING: SeqCst, pairs with the fence in `IdleSet::announce`: what was counted and
        // queued before it is seen by the monitor_rounds that come after this.
        fence(SeqCst);
        if self.holds_tasks() || !self.idle.are_all_asleep() {
            return false;
        }
        fence(SeqCst);
        self.park_attempts() == before
    }

    /// Under a paused clock the last worker that lies down has the one in the driver slot look
    /// again whether time may pass.
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
            .map(|it| it.counters.park_attempts.get());
        times.fold(0, u64::wrapping_add)
    }
}
