//! Polls on the stack of whoever joins a task: by a worker in the middle of another poll, or by a
//! thread that is none.
//!
//! They are counted, timed and told of as those of the workers' loop are.

use std::time::Instant;

use super::current;
use super::handle::Handle;
use super::hooks;
use super::shared::Shared;
use crate::loom::sync::atomic::Ordering::Relaxed;
use crate::task::{self, Inside, JoinHandle, Ran, Target, TaskId};

impl Handle {
    /// Polls the task of this scheduler here, if it is in a queue.
    pub(crate) fn poll_inline<T>(&self, join: &JoinHandle<T>, target: Target) {
        let shared = &*self.0;
        let task = join.id();
        let _inside = Inside::begin(task);
        let newest = current::with_core_of(shared, |core| core.lifo.take_if(target.address));
        let ran = match newest.flatten() {
            Some(entry) => Some(entry.run_after(|| shared.begin_inline(task))),
            None => join.run_inline(|| shared.begin_inline(task)),
        };
        let Some(ran) = ran.filter(|ran| !matches!(ran, Ran::Stale)) else {
            return;
        };
        shared.end_inline(task);
        // It was woken meanwhile: others come first, as it might wait for them by yielding.
        if let Ran::Woken(task) = ran {
            self.reschedule(task);
        }
    }
}

impl Shared {
    fn begin_inline(&self, task: TaskId) {
        let counted = current::with_core_of(self, |core| core.counters(self).inlined.add(1));
        if counted.is_none() {
            // ORDERING: Relaxed: a figure.
            self.polled_elsewhere.fetch_add(1, Relaxed);
            // No loop reads a clock here.
            task::set_clock(Instant::now());
        }
        if let Some(hooks) = &self.config.hooks {
            hooks::call_with(&hooks.before_poll, task);
        }
    }

    fn end_inline(&self, task: TaskId) {
        if let Some(hooks) = &self.config.hooks {
            hooks::call_with(&hooks.after_poll, task);
        }
        if current::with(|worker| worker.is_none()) {
            task::forget_clock();
        }
    }
}
