//! Where a worker without work monitor_rounds for some.
//!
//! 1. the global queue;
//! 2. the rings of the others, from a random one on: half of what is there;
//! 3. their batch buffers: half of what was fetched ahead;
//! 4. the LIFO slots of those that have been in one poll for too long;
//! 5. the global queue again.
//!
//! # The slot behind a long poll
//!
//! A task in a LIFO slot is best run by its owner, which comes to it within one poll, so a thief
//! takes it only when it has watched the owner stay in the same poll for [`STALL`]. It watches only
//! as a last resort, when there is nothing else to take, and stops as soon as there is. Nobody is
//! woken for the sake of a slot as it is filled; if all others sleep by then, the [stall
//! monitor](crate::scheduler::idle) in the driver finds it. The worker that has been the monitor
//! *relieves* the owner: it has seen it in the same poll at two monitor_rounds, and does not watch
//! it for once more.
//!
//! # What one wait in the driver brings
//!
//! A worker that comes from the driver, or from a theft, with tasks in its ring wakes another one
//! to share them, unless it is *busy* (its last sleeps were all brief) and will have polled them
//! within [`SOON`], by the average of its polls, which must be [`SHORT`]. A thread that wakes costs
//! about as much as a few short polls, and moves the tasks' memory to another processor. Where
//! there is a free processor it is worth that for longer ones.
//!
//! Such *deferred help* comes after all,
//!
//! 1. if the polls take longer than expected: the next [tick](super::run) calls for it;
//! 2. if one of them blocks: the stall monitor finds the rest, as it finds a task in a slot. If
//!    nobody sits in the driver the [countdown](crate::scheduler::idle) brings somebody there, and
//!    who sits there unaware is called as for a slot, by [`Core::notify_monitor`];
//! 3. if one of them pauses the clock, by which the stall monitor goes: whoever comes to the driver
//!    slot monitor_rounds into the rings instead;
//! 4. if the thread leaves the core for a join that blocks: that calls for it, or a spare thread
//!    goes on with the core.

use std::time::{Duration, Instant};

use crate::loom::thread;
use crate::task::Runnable;

use super::core::Core;
use crate::scheduler::shared::{Remote, Shared};

/// How long an owner must have been in one poll for its slot to be taken.
const STALL: Duration = Duration::from_micros(60);
/// A busy worker shares nothing that it will have polled within this time,
const SOON: Duration = Duration::from_micros(200);
/// if its polls take less than this.
const SHORT: Duration = Duration::from_micros(10);

impl Core {
    /// Looks everywhere for a task. The worker may be a searcher afterwards, with or without one.
    pub(crate) fn search(&mut self, shared: &Shared) -> Option<Runnable> {
        if let Some(task) = self.fetch(shared) {
            self.share_what_is_left(shared);
            return Some(task);
        }
        self.searching = self.searching || shared.idle.try_search();
        if !self.searching {
            return None;
        }
        let stolen = self.steal(shared);
        if stolen.is_some() {
            self.counters(shared).stolen.add(1);
        }
        stolen.or_else(|| self.fetch(shared))
    }

    /// The worker has a task to run. If it was the last to search, it sees to it that another does
    /// if there is anything to find, and that somebody waits in the driver soon.
    #[cold]
    pub(crate) fn found_work(&mut self, shared: &Shared) {
        self.searching = false;
        self.relieves = false;
        let was_last = shared.idle.stop_searching();
        // The fence in there pairs with the one in `monitor_stalls` too: a sleeper that does not
        // count us among those awake has taken back by now that it monitors.
        self.help_deferred = was_last && !self.ring.is_empty() && self.drains_soon(shared);
        let is_help_wanted = || {
            (!self.help_deferred && shared.is_anything_queued())
                || !shared.will_driver_be_occupied(self.polls_since(), self.is_busy())
        };
        if was_last && is_help_wanted() {
            shared.wake_one();
        }
        self.unmonitored = shared.lacks_monitor();
        if !(self.lifo.is_empty() && self.ring.is_empty()) {
            self.notify_monitor(shared);
        }
    }

    /// Whether all that is queued are tasks in its own ring, which a busy worker will have polled
    /// soon.
    fn drains_soon(&self, shared: &Shared) -> bool {
        self.is_busy()
            && self.interval.estimate(self.ring.len()) < SOON
            && self.interval.estimate(1) < SHORT
            && self.buffer.is_empty()
            && !shared.has_stealable(self.index)
            // The stall monitor goes by the runtime's clock.
            && !shared.driver_handle.is_paused()
    }

    /// The tasks that were to be polled soon have not all been: somebody shall help after all.
    #[cold]
    pub(crate) fn notify_deferred(&mut self, shared: &Shared) {
        if std::mem::take(&mut self.help_deferred) && !self.ring.is_empty() {
            shared.notify();
        }
    }

    /// A slot was filled, and who sleeps in the driver may not know that anybody is awake.
    #[cold]
    pub(crate) fn request_monitor(&mut self, shared: &Shared) {
        self.unmonitored = false;
        // Whoever takes an empty driver slot sees that we are awake.
        if shared.lacks_monitor() && shared.is_driver_occupied() {
            shared.driver_handle.unpark();
        }
    }

    /// Takes a task from another worker.
    pub(crate) fn steal(&mut self, shared: &Shared) -> Option<Runnable> {
        let workers = shared.workers();
        if workers == 1 {
            return None;
        }
        let start = self.rng.below(workers as u32) as usize;
        let (me, relieves) = (self.index, self.relieves);
        let victims = (start..workers)
            .chain(0..start)
            .filter(|&index| index != me);
        let mut victims = victims.map(|index| &shared.remotes[index]);
        victims
            .clone()
            .find_map(|victim| victim.ring.steal_into(&mut self.ring))
            .or_else(|| {
                victims
                    .clone()
                    .find_map(|it| it.buffer.steal_into(&self.buffer))
            })
            .or_else(|| {
                victims.find_map(|victim| match relieves && victim.is_stalled() {
                    true => victim.lifo.steal(),
                    false => steal_watched(shared, me, victim),
                })
            })
    }
}

/// Takes the task out of the victim's LIFO slot if its owner does not come to it while we watch.
fn steal_watched(shared: &Shared, me: usize, victim: &Remote) -> Option<Runnable> {
    if !victim.lifo.has_stealable() {
        return None;
    }
    let poll = victim.counters.polled.get();
    let since = Instant::now();
    while since.elapsed() < STALL {
        thread::yield_now();
        let owner_moved = victim.counters.polled.get() != poll || !victim.lifo.has_stealable();
        if owner_moved || shared.is_stopping() || shared.has_stealable(me) {
            return None;
        }
    }
    victim.lifo.steal()
}
