//! The search of a worker without tasks, and the decision to share tasks with others.
//!
//! # Order of the search
//!
//! 1. The global queue.
//! 2. The rings of the other workers, from a random one on: half of the tasks of the first that
//!    has any.
//! 3. Their batch buffers: half of the tasks that were fetched in advance.
//! 4. The LIFO slots of workers that have been in one poll for too long.
//! 5. The global queue again.
//!
//! # The slot of a worker in a long poll
//!
//! The owner of a LIFO slot polls its task after one poll at most, which is the best place for it.
//! So a searcher steals the task only after it has watched the owner stay in one poll for
//! [`STALL`]. It watches only if there is nothing else to take, and stops as soon as there is.
//!
//! Filling a slot wakes no worker. If all other workers sleep, the
//! [stall monitor](crate::scheduler::idle) in the driver finds the task. A worker that was the
//! monitor has seen the owner in the same poll twice, and steals the task without a watch: it is
//! [`Role::Relieving`].
//!
//! # Deferred notification
//!
//! A worker that returns from the driver, or from a theft, with tasks in its ring wakes another
//! worker to share them. It defers this if it is *busy* (its last sleeps were all brief), and if it
//! will have polled the tasks within [`SOON`], in polls that are [`SHORT`] on average. Waking a
//! thread costs as much as a few short polls, and moves the memory of the tasks to another
//! processor. For longer polls a free processor is worth that.
//!
//! The other worker is woken after all in these cases:
//!
//! 1. The polls take longer than expected: the next [tick](super::run) notifies.
//! 2. A poll blocks: the stall monitor finds the tasks, as it finds a task in a slot. If no worker
//!    is in the driver, the countdown of the [standby](crate::scheduler::idle) brings one there. A
//!    worker in the driver that does not monitor is woken by [`Core::notify_monitor`].
//! 3. A poll pauses the clock, and so the stall monitor: a worker that takes the driver slot then
//!    checks the rings itself.
//! 4. The thread blocks in a join: it notifies before, or moves the core to a spare thread.

use std::time::{Duration, Instant};

use crate::loom::thread;
use crate::scheduler::idle::Load;
use crate::scheduler::shared::{Remote, Shared};
use crate::task::Runnable;

use super::core::{Core, Notify, Role};

/// The time that an owner must spend in one poll before the task of its slot is stolen.
const STALL: Duration = Duration::from_micros(60);
/// The time within which a busy worker must expect to poll its tasks, to defer a notification.
const SOON: Duration = Duration::from_micros(200);
/// The longest average poll with which it may do so.
const SHORT: Duration = Duration::from_micros(10);

impl Core {
    /// Looks for a task in all other queues. The worker may be a searcher afterwards, with or
    /// without a task.
    pub(crate) fn search(&mut self, shared: &Shared) -> Option<Runnable> {
        if let Some(task) = self.fetch(shared) {
            self.notify_if_work_left(shared);
            return Some(task);
        }
        if self.role == Role::Working {
            if !shared.idle.try_search() {
                return None;
            }
            self.role = Role::Searching;
        }
        let stolen = self.steal(shared);
        if stolen.is_some() {
            self.counters(shared).stolen.add(1);
        }
        stolen.or_else(|| self.fetch(shared))
    }

    /// Ends the search of a worker that has found a task.
    ///
    /// The last searcher wakes another worker if there is more to find, or if no worker will be in
    /// the driver soon.
    #[cold]
    pub(crate) fn found_work(&mut self, shared: &Shared) {
        self.role = Role::Working;
        // The fence of `stop_searching` also pairs with the one of `monitor_stalls`: a worker in
        // the driver that does not count us as awake has withdrawn `has_monitor` by now.
        let was_last = shared.idle.stop_searching();
        let defers = was_last && !self.ring.is_empty() && self.drains_soon(shared);
        self.notify = if defers { Notify::AtTick } else { Notify::None };
        let needs_help = || {
            (!defers && shared.is_anything_queued())
                || !shared.will_driver_be_occupied(self.timer.polling_since())
        };
        if was_last && needs_help() {
            shared.wake_one();
        }
        self.needs_monitor = shared.lacks_monitor();
        if !(self.lifo.is_empty() && self.ring.is_empty()) {
            self.notify_monitor(shared);
        }
    }

    /// Returns `true` if all queued tasks are in the ring of this busy worker, which will have
    /// polled them soon.
    fn drains_soon(&self, shared: &Shared) -> bool {
        self.timer.load() == Load::Busy
            && self.interval.estimate(self.ring.len()) < SOON
            && self.interval.estimate(1) < SHORT
            && self.buffer.is_empty()
            && !shared.has_stealable(self.index)
            // The stall monitor uses the clock of the runtime.
            && !shared.driver_handle.is_paused()
    }

    /// Sends the notification that was deferred to this tick, if tasks are left.
    #[cold]
    pub(crate) fn notify_deferred(&mut self, shared: &Shared) {
        if self.notify != Notify::AtTick {
            return;
        }
        self.notify = Notify::None;
        if !self.ring.is_empty() {
            shared.notify();
        }
    }

    /// Wakes the worker in the driver, if it went to sleep there when no worker was awake: it
    /// becomes the stall monitor then.
    #[cold]
    pub(crate) fn request_monitor(&mut self, shared: &Shared) {
        self.needs_monitor = false;
        // A worker that takes the empty driver slot later sees that this worker is awake.
        if shared.lacks_monitor() && shared.is_driver_occupied() {
            shared.driver_handle.unpark();
        }
    }

    /// Steals tasks from another worker: returns one, and queues the others.
    pub(crate) fn steal(&mut self, shared: &Shared) -> Option<Runnable> {
        let workers = shared.workers();
        if workers == 1 {
            return None;
        }
        let start = self.rng.below(workers as u32) as usize;
        let (own, role) = (self.index, self.role);
        let victims = (start..workers)
            .chain(0..start)
            .filter(|&index| index != own);
        let mut victims = victims.map(|index| &shared.remotes[index]);
        victims
            .clone()
            .find_map(|victim| victim.ring.steal_into(&mut self.ring))
            .or_else(|| {
                let mut victims = victims.clone();
                victims.find_map(|victim| victim.buffer.steal_into(&self.buffer))
            })
            .or_else(|| victims.find_map(|victim| steal_from_slot(shared, own, role, victim)))
    }
}

/// Takes the task of the victim's LIFO slot, if the victim is in a long poll.
fn steal_from_slot(shared: &Shared, own: usize, role: Role, victim: &Remote) -> Option<Runnable> {
    if role == Role::Relieving && victim.is_stalled() {
        return victim.lifo.steal();
    }
    steal_watched(shared, own, victim)
}

/// Takes the task of the victim's LIFO slot if its owner stays in one poll during the watch.
fn steal_watched(shared: &Shared, own: usize, victim: &Remote) -> Option<Runnable> {
    if !victim.lifo.has_stealable() {
        return None;
    }
    let poll = victim.counters.polled.get();
    let since = Instant::now();
    while since.elapsed() < STALL {
        thread::yield_now();
        let owner_moved = victim.counters.polled.get() != poll || !victim.lifo.has_stealable();
        if owner_moved || shared.is_stopping() || shared.has_stealable(own) {
            return None;
        }
    }
    victim.lifo.steal()
}
