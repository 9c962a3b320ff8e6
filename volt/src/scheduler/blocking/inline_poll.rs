//! Polls on the stack of whoever joins a task: by a worker in the middle of another poll, or by a
//! thread that is none.
//!
//! They are counted, timed and told of as those of the workers' loop are.

use std::time::Instant;

use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::scheduler::observe::call_task_hook;
use crate::scheduler::scheduler_handle::SchedulerHandle;
use crate::scheduler::shared::Shared;
use crate::scheduler::worker::{with_core_of, with_worker};
use crate::task::{self, InlinePollGuard, JoinHandle, JoinTarget, RunOutcome, TaskId};

impl SchedulerHandle {
    /// Polls the task of this scheduler here, if it is in a queue.
    pub(crate) fn poll_inline<T>(&self, join: &JoinHandle<T>, target: JoinTarget) {
        let shared = &*self.0;
        let task = join.id();
        let _inside = InlinePollGuard::begin(task);
        // Counted before it is known whether there is anything to poll, for one look at the core.
        let here = with_core_of(shared, |core| {
            core.counters(shared).inlined.add(1);
            core.lifo.take_if(target.address)
        });
        let is_outside = here.is_none();
        let begin = || shared.begin_inline(task, is_outside);
        let ran = match here.flatten() {
            Some(entry) => Some(entry.run_after(begin)),
            None => join.run_inline(begin),
        };
        match ran {
            None | Some(RunOutcome::Stale) => shared.uncount_inline(),
            Some(ran) => {
                shared.end_inline(task);
                // It was woken meanwhile: others come first, as it might wait for them by yielding.
                if let RunOutcome::Woken(task) = ran {
                    self.reschedule(task);
                }
            }
        }
    }
}

impl Shared {
    #[inline]
    fn begin_inline(&self, task: TaskId, is_outside: bool) {
        if is_outside {
            // ORDERING: Relaxed: a figure.
            self.polled_elsewhere.fetch_add(1, Relaxed);
            // No loop reads a clock here.
            task::set_clock(Instant::now());
        }
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

    /// Nothing was polled.
    #[cold]
    fn uncount_inline(&self) {
        with_core_of(self, |core| core.counters(self).inlined.decrement());
    }
}
