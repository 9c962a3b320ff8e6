//! The loop of a worker: run, look instrument, search, sleep.
//!
//! ```text
//!        +--------------------------------------------------+
//!        v                                                  |
//!   next_local -- a task --> poll --(every tick)--> tick ----+
//!        | none                                             |
//!        v                                                  |
//!      search --- a task --> poll -------------------------->+
//!        | none                                             |
//!        v                                                  |
//!       sleep ---- as a searcher --------------------------->+
//! ```
//!
//! Tasks run while nobody borrows the core, so they may queue others into it, or take it away.

use std::time::{Duration, Instant};

use crate::task::{self, RunOutcome, Runnable};

use super::core::Core;
use super::current::enter_worker;
use super::worker_thread::Worker;
use crate::scheduler::observe::{call_hook, record_park, record_unpark};

/// The least time between two monitor_rounds into a driver in which nobody sits. A tick of short
/// polls is over sooner, and a look is a system call.
const DRIVER_GAP: Duration = Duration::from_micros(50);

impl Worker {
    /// Runs tasks until the scheduler stops or the core is taken away.
    pub(crate) fn run(&self) {
        let _entered = enter_worker(self);
        self.bind();
        while let Some(task) = self.next(|| false) {
            self.poll(task);
        }
    }

    /// Runs one task.
    #[inline]
    #[doc(alias = "executeTask")]
    pub(crate) fn poll(&self, task: Runnable) {
        let ran = match &self.shared.config.hooks {
            None => task.run(),
            Some(hooks) => hooks.poll_with_hooks(task),
        };
        match ran {
            RunOutcome::Woken(task) => self.reschedule(task),
            RunOutcome::Stale => self.count_stale(),
            _ => {}
        }
    }

    #[cold]
    fn count_stale(&self) {
        self.with_core(|core| core.counters(&self.shared).stale.add(1));
    }

    /// Makes this thread the one that the core sleeps on.
    pub(crate) fn bind(&self) {
        if let Some(index) = self.index() {
            self.shared.remotes[index].parker.bind();
        }
    }

    fn reschedule(&self, task: Runnable) {
        let mut slot = self.core.borrow_mut();
        match slot.as_mut() {
            Some(core) => core.push_back(&self.shared, task),
            None => self.shared.inject(task),
        }
    }

    /// The next task to poll; waits for one. `None` when there will be none, or when there is none
    /// now and `is_called` says that the thread is wanted elsewhere.
    #[inline]
    pub(crate) fn next(&self, is_called: impl Fn() -> bool) -> Option<Runnable> {
        loop {
            let mut slot = self.core.borrow_mut();
            let core = slot.as_mut()?;
            if !core.tick_is_over() && !self.shared.is_stopping() {
                let found = core.next_local(&self.shared);
                if let Some(task) = found.or_else(|| self.search(core)) {
                    core.begin_poll(&self.shared, &task);
                    if core.searching {
                        core.found_work(&self.shared);
                    }
                    return Some(task);
                }
            }
            let tick_is_over = core.tick_is_over();
            drop(slot);
            if self.shared.is_stopping() {
                return None;
            }
            if tick_is_over {
                self.tick();
            } else if is_called() {
                self.with_core(Core::resume_timing);
                return None;
            } else {
                self.sleep(&is_called);
            }
        }
    }

    /// Looks for work elsewhere, beside the clock.
    #[cold]
    fn search(&self, core: &mut Core) -> Option<Runnable> {
        core.stop_timing(&self.shared, Instant::now());
        if self.shared.is_stopping() {
            return None;
        }
        let task = core.search(&self.shared)?;
        core.start_timing(self.read_clock());
        Some(task)
    }

    /// What is due after so many polls.
    #[cold]
    #[doc(alias("pollTimers", "pollIo"))]
    pub(crate) fn tick(&self) {
        let now = self.read_clock();
        self.with_core(|core| {
            core.stop_timing(&self.shared, now);
            core.begin_tick();
            core.notify_deferred(&self.shared);
        });
        let mut polls_begin = now;
        if now.saturating_duration_since(self.driver_turned.get()) >= DRIVER_GAP {
            self.shared.turn_driver();
            polls_begin = self.read_clock();
            self.driver_turned.set(polls_begin);
        }
        self.with_core(|core| core.start_timing(polls_begin));
    }

    /// The thread begins to poll.
    pub(crate) fn begin_timing(&self) {
        let now = self.read_clock();
        self.with_core(|core| core.start_timing(now));
    }

    /// The thread polls no more, for now.
    pub(crate) fn end_timing(&self) {
        let now = Instant::now();
        self.with_core(|core| core.stop_timing(&self.shared, now));
    }

    /// Sleeps, and tells of it.
    #[cold]
    fn sleep(&self, is_called: &impl Fn() -> bool) {
        record_park(self.index());
        self.sleep_between_hooks(is_called);
        record_unpark(self.index());
    }

    fn sleep_between_hooks(&self, is_called: &impl Fn() -> bool) {
        let Some(hooks) = &self.shared.config.hooks else {
            return self.park(is_called);
        };
        call_hook(&hooks.park);
        // The hook may have found something to do.
        match self.with_core(|core| core.has_work()) {
            Some(true) => self.begin_timing(),
            _ => self.park(is_called),
        }
        call_hook(&hooks.unpark);
    }

    /// Sleeps until there is work, or might be; the worker is a searcher afterwards.
    #[cold]
    #[doc(alias = "parkWorker")]
    fn park(&self, is_called: &impl Fn() -> bool) {
        let shared = &*self.shared;
        let announced = self.with_core(|core| {
            core.counters(shared).park_attempts.add(1);
            core.counters(shared).running.set(0);
            shared.idle.announce(core.index, core.searching);
            core.searching = true;
            core.relieves = false;
            (core.index, core.is_busy())
        });
        let Some((index, is_busy)) = announced else {
            return;
        };
        let is_wanted = || shared.is_stopping() || is_called();
        if is_wanted() || shared.has_stealable(index) {
            shared.idle.withdraw(index);
            return;
        }
        shared.remotes[index].counters.parked.add(1);
        while shared.idle.is_asleep(index) {
            let stalled = shared.sleep(index, is_busy);
            // The driver's wakers may have filled our own queues.
            let has_work = self.with_core(|core| core.has_work()) == Some(true);
            if stalled || has_work || is_wanted() {
                self.with_core(|core| core.relieves = stalled);
                shared.idle.withdraw(index);
                break;
            }
        }
        let now = self.read_clock();
        self.driver_turned.set(now);
        self.with_core(|core| core.end_sleep(now));
    }

    /// Reads the clock, and tells the tasks.
    fn read_clock(&self) -> Instant {
        let now = Instant::now();
        task::set_clock(now);
        now
    }
}

/// Stops what is left in the queues, also when a hook has panicked or no thread could be had.
impl Drop for Worker {
    fn drop(&mut self) {
        let _entered = enter_worker(self);
        let core = self.core.borrow_mut().take();
        if let Some(core) = core {
            core.shutdown(&self.shared);
            self.shared.retire();
        }
    }
}
