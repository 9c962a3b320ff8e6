//! Polls on the stack of a thread that joins a task: a worker during another poll, or a thread that
//! is not a worker.
//!
//! They are counted, timed and reported as the polls of the worker loop are.

use std::time::Instant;

use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::scheduler::observe::call_task_hook;
use crate::scheduler::scheduler_handle::SchedulerHandle;
use crate::scheduler::shared::Shared;
use crate::scheduler::worker::{with_core_of, with_worker};
use crate::task::{self, InlinePollGuard, JoinHandle, JoinTarget, RunOutcome, TaskId};

impl SchedulerHandle {
    /// Polls the task of this scheduler on the calling thread, if it is queued.
    pub(crate) fn poll_inline<T>(&self, join: &JoinHandle<T>, target: JoinTarget) {
        let shared = &*self.0;
        let task = join.id();
        let _guard = InlinePollGuard::begin(task);
        // The poll is counted before it is known to happen, so that the core is accessed once.
        let here = with_core_of(shared, |core| {
            core.counters(shared).inlined.add(1);
            core.lifo.take_if(target.address)
        });
        let is_outside = here.is_none();
        let begin = || {
            if is_outside {
                shared.count_foreign_poll();
            }
            shared.begin_inline(task);
        };
        let ran = match here.flatten() {
            Some(entry) => Some(entry.run_after(begin)),
            None => join.run_inline(begin),
        };
        match ran {
            None | Some(RunOutcome::Stale) => shared.uncount_inline(),
            Some(ran) => {
                shared.end_inline(task);
                // The task was woken meanwhile. It goes to the back, because it may have yielded to
                // wait for other tasks.
                if let RunOutcome::Woken(task) = ran {
                    self.reschedule(task);
                }
            }
        }
    }
}

impl Shared {
    /// Counts and times a poll on a thread that has no core of this scheduler.
    #[inline]
    fn count_foreign_poll(&self) {
        // ORDERING: Relaxed: a statistic.
        self.polled_elsewhere.fetch_add(1, Relaxed);
        // A thread without a worker loop reads no clock otherwise.
        task::set_clock(Instant::now());
    }

    #[inline]
    fn begin_inline(&self, task: TaskId) {
        if let Some(hooks) = &self.config.hooks {
            call_task_hook(&hooks.before_poll, task);
        }
    }

    #[inline]
    fn end_inline(&self, task: TaskId) {
        if let Some(hooks) = &self.config.hooks {
            call_task_hook(&hooks.after_poll, task);
        }
        if with_worker(|worker| worker.is_none()) {
            task::forget_clock();
        }
    }

    /// Corrects the counters if no task was polled.
    #[cold]
    fn uncount_inline(&self) {
        with_core_of(self, |core| core.counters(self).inlined.decrement());
    }
}
