//! The loop of a worker: poll, tick, search, park.
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
//! The core is not borrowed while a task runs, so a task may queue others into it, or move it to
//! another thread.

use std::time::{Duration, Instant};

use crate::scheduler::config::TaskOrder;
use crate::scheduler::observe::{call_hook, record_park, record_unpark};
use crate::scheduler::shared::Shared;
use crate::task::{self, RunOutcome, Runnable};

use super::core::{Core, Role};
use super::current::enter_worker;
use super::worker_thread::Worker;

/// The least time between two checks of a driver in which no worker waits. A tick of short polls
/// is shorter, and a check is a system call.
const DRIVER_GAP: Duration = Duration::from_micros(50);

impl Worker {
    /// Runs tasks until the scheduler stops or the core moves to another thread.
    pub(crate) fn run(&self) {
        let _entered = enter_worker(self);
        self.bind();
        while let Some(task) = self.next(|| false) {
            self.poll(task);
        }
    }

    /// Polls one task.
    #[inline]
    #[doc(alias = "executeTask")]
    pub(crate) fn poll(&self, task: Runnable) {
        let ran = if self.is_observed.get() {
            self.poll_observed(task)
        } else {
            task.run()
        };
        if let RunOutcome::Woken(task) = ran {
            self.reschedule(task);
        } else if matches!(ran, RunOutcome::Stale) {
            self.count_stale();
        }
    }

    #[cold]
    fn count_stale(&self) {
        self.with_core(|core| core.counters(&self.shared).stale.add(1));
    }

    /// Makes this thread the one on which the core sleeps.
    pub(crate) fn bind(&self) {
        if let Some(index) = self.index() {
            self.shared.remotes[index].parker.bind();
        }
    }

    fn reschedule(&self, task: Runnable) {
        let mut slot = self.core.borrow_mut();
        match slot.as_mut() {
            Some(core) => core.push_yielded(&self.shared, task),
            None => self.shared.inject(task),
        }
    }

    /// Returns the next task to poll; sleeps until there is one.
    ///
    /// Returns `None` if the scheduler stops or the core is on another thread. Also returns `None`
    /// if there is no task now and `is_interrupted` returns `true`.
    #[inline]
    pub(crate) fn next(&self, is_interrupted: impl Fn() -> bool) -> Option<Runnable> {
        loop {
            let mut slot = self.core.borrow_mut();
            let core = slot.as_mut()?;
            if !core.timer.is_phase_over() && !self.shared.is_stopping() {
                let found = core.next_local(&self.shared);
                if found.is_none() && is_interrupted() && self.shared.injector.seems_empty() {
                    // Nothing is queued, and the thread does not sleep, so no time is measured.
                    return None;
                }
                if let Some(task) = found.or_else(|| self.search(core)) {
                    core.begin_poll(&self.shared, &task);
                    if core.role.is_searching() {
                        core.found_work(&self.shared);
                    }
                    return Some(task);
                }
            }
            let is_tick_over = core.timer.is_phase_over();
            if is_tick_over && core.end_sample(&self.shared) {
                continue;
            }
            drop(slot);
            if self.shared.is_stopping() {
                return None;
            }
            if is_tick_over {
                self.tick();
            } else if is_interrupted() {
                self.with_core(|core| core.timer.resume());
                return None;
            } else {
                self.sleep(&is_interrupted);
            }
        }
    }

    /// Looks for a task in the queues of others, and samples the polls so far.
    #[cold]
    fn search(&self, core: &mut Core) -> Option<Runnable> {
        let run = core.end_run(&self.shared, Instant::now());
        self.check_run(core, run);
        if self.shared.is_stopping() {
            return None;
        }
        let task = core.search(&self.shared)?;
        core.timer.start(self.read_clock());
        Some(task)
    }

    /// Reads the clock, sends deferred notifications, and checks the driver.
    #[cold]
    #[doc(alias("pollTimers", "pollIo"))]
    pub(crate) fn tick(&self) {
        let now = self.read_clock();
        self.with_core(|core| {
            let run = core.stop_timing(&self.shared, now);
            self.check_run(core, run);
            core.begin_tick();
            core.notify_deferred(&self.shared);
        });
        let mut polls_begin = now;
        if now.saturating_duration_since(self.driver_turned.get()) >= DRIVER_GAP {
            self.shared.turn_driver();
            polls_begin = self.read_clock();
            self.driver_turned.set(polls_begin);
        }
        self.with_core(|core| core.timer.start(polls_begin));
    }

    /// Records that the thread begins to poll.
    pub(crate) fn begin_timing(&self) {
        let now = self.read_clock();
        self.with_core(|core| core.timer.start(now));
    }

    /// Records that the thread stops to poll.
    pub(crate) fn end_timing(&self) {
        let now = Instant::now();
        self.with_core(|core| {
            let run = core.end_run(&self.shared, now);
            self.check_run(core, run);
        });
    }

    /// Parks the worker between two `tracing` events.
    #[cold]
    fn sleep(&self, is_interrupted: &impl Fn() -> bool) {
        record_park(self.index());
        self.sleep_between_hooks(is_interrupted);
        record_unpark(self.index());
    }

    fn sleep_between_hooks(&self, is_interrupted: &impl Fn() -> bool) {
        let Some(hooks) = &self.shared.config.hooks else {
            return self.park(is_interrupted);
        };
        call_hook(&hooks.park);
        // The hook may have queued a task.
        if self.with_core(|core| core.has_work()) == Some(true) {
            self.begin_timing();
        } else {
            self.park(is_interrupted);
        }
        call_hook(&hooks.unpark);
    }

    /// Sleeps until there may be work; the worker is a searcher afterwards.
    #[cold]
    #[doc(alias = "parkWorker")]
    fn park(&self, is_interrupted: &impl Fn() -> bool) {
        let shared = &*self.shared;
        let announced = self.with_core(|core| {
            core.counters(shared).park_attempts.add(1);
            core.counters(shared).running.set(0);
            let must_check = if core.role.is_searching() {
                shared.idle.announce_searcher(core.index)
            } else {
                shared.idle.announce(core.index)
            };
            core.role = Role::Searching;
            (core.index, core.timer.stopped_at(), must_check)
        });
        let Some((index, mut since, must_check)) = announced else {
            return;
        };
        let must_wake = || shared.is_stopping() || is_interrupted();
        if must_wake() || (must_check && shared.has_stealable(index)) {
            shared.idle.withdraw(index);
            return;
        }
        shared.remotes[index].counters.parked.add(1);
        while shared.idle.is_asleep(index) {
            let found_stall = shared.sleep(index, since);
            // Wakers that the driver called may have filled the worker's own queues.
            let has_work = self.with_core(|core| core.has_work()) == Some(true);
            if found_stall || has_work || must_wake() {
                if found_stall {
                    self.with_core(|core| core.role = Role::Relieving);
                }
                shared.idle.withdraw(index);
                break;
            }
            since = Instant::now();
        }
        let now = self.read_clock();
        self.driver_turned.set(now);
        self.with_core(|core| core.end_sleep(now));
    }

    /// Reads the clock, and sets the time that tasks see.
    fn read_clock(&self) -> Instant {
        let now = Instant::now();
        task::set_clock(now);
        now
    }
}

impl Core {
    /// Counts a poll of the task, which begins now.
    #[inline]
    pub(crate) fn begin_poll(&mut self, shared: &Shared, task: &Runnable) {
        let counters = self.counters(shared);
        counters.polled.add(1);
        counters.running.set(task.id().to_bits());
        self.timer.count_poll();
    }

    /// Queues the task of the last poll, which woke itself, after the others.
    #[inline]
    pub(crate) fn push_yielded(&mut self, shared: &Shared, task: Runnable) {
        if self.must_queue(shared) {
            return self.push_back(shared, task);
        }
        self.global_turn.count_poll();
        self.lifo_streak = 0;
        self.repeated = Some(task);
    }

    /// Returns `true` if anything else is due before a second poll of the same task.
    #[inline]
    fn must_queue(&self, shared: &Shared) -> bool {
        self.has_work()
            || self.order == TaskOrder::Fifo
            || self.timer.is_phase_over()
            || self.global_turn.is_open()
            || (self.global_turn.is_due_if_urgent() && self.is_global_check_due(shared))
    }
}

/// Cancels the tasks that are left in the queues, also after a panic in a hook or without a thread.
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
