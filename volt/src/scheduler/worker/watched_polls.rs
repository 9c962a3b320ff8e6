//! The search of a worker for the tasks of its slow polls.
//!
//! A worker reads the clock once in many polls. If the polls since the last reading took long, one
//! of them was slow. The worker knows its task only if there was a single poll. The worker then
//! *watches* its next polls: it times each of them, and reads the states of the task before it. The
//! polls of a program without slow polls are never watched, so they have no further cost.

use std::time::Duration;

use crate::scheduler::observe::{Hooks, SlowPoll, WatchedPoll, poll_watched};
use crate::task::{RunOutcome, Runnable};

use super::core::Core;
use super::poll_timer::nanos;
use super::worker_thread::Worker;

/// The least duration of a slow poll. A thread that waits for a processor reaches it only on a
/// machine with many more busy threads than processors.
const SLOW: Duration = Duration::from_millis(50);

impl Worker {
    /// Polls one task with the hooks of the user, and watches the poll if that is due.
    #[cold]
    pub(crate) fn poll_observed(&self, task: Runnable) -> RunOutcome {
        let hooks = self.shared.config.hooks.as_deref();
        let (ran, time) = if self.watch.count_poll() {
            self.poll_watched(hooks, task)
        } else {
            match hooks {
                Some(hooks) => hooks.poll_with_hooks(task),
                None => (task.run(), None),
            }
        };
        if let Some(time) = time {
            self.with_core(|core| {
                core.counters(&self.shared)
                    .poll_times
                    .record(nanos(time), 1)
            });
        }
        self.is_observed.set(hooks.is_some() || self.watch.is_on());
        ran
    }

    /// Polls one task, and records the poll if it is slow. Returns the time of the poll if the
    /// hooks request that each poll is timed.
    fn poll_watched(
        &self,
        hooks: Option<&Hooks>,
        task: Runnable,
    ) -> (RunOutcome, Option<Duration>) {
        let WatchedPoll { ran, time, slow } = poll_watched(hooks, task, SLOW);
        let has_blocked = self.watch.take_block();
        if let Some(slow) = slow {
            self.watch.add_found(nanos(slow.duration()));
            if !has_blocked {
                self.record_slow_poll(slow);
            }
        }
        let is_exact = hooks.is_some_and(Hooks::times_each_poll);
        (ran, time.filter(|_| is_exact))
    }

    /// Begins a watch if a run of polls took long for an unknown reason.
    ///
    /// Returns at once if there was no run.
    pub(crate) fn check_run(&self, core: &Core, run: Option<(u64, u32)>) {
        if let Some((run_nanos, polls)) = run
            && run_nanos >= nanos(SLOW)
        {
            self.check_long_run(core, run_nanos, polls);
        }
    }

    #[cold]
    fn check_long_run(&self, core: &Core, run_nanos: u64, polls: u32) {
        let unexplained = self.watch.take_unexplained(run_nanos);
        if self.watch.take_block() || unexplained < SLOW {
            return;
        }
        if polls == 1
            && let Some(id) = core.counters(&self.shared).running_task()
            && let Some(task) = self.shared.registry.find(id)
        {
            let before = Vec::new();
            self.record_slow_poll(SlowPoll::new(task.inspect(), unexplained, before));
        }
        self.begin_watch();
    }

    fn record_slow_poll(&self, slow: SlowPoll) {
        self.shared.slow_polls.record(slow);
        self.begin_watch();
    }

    fn begin_watch(&self) {
        self.watch.begin();
        self.is_observed.set(true);
    }
}
