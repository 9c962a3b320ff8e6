//! Threads that enter the runtime of a task to poll the task they join.
//!
//! Dropping a [`ForeignPoll`] undoes the steps of `enter` in reverse order.

use super::block_on::panic_in_fork;
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::pool::OnShutdown;
use crate::task::{ForeignPoll, ForeignRuntime};

/// The runtime of a task, for a thread that is not one of its workers.
pub(in crate::runtime) struct TaskRuntime(Handle);

impl TaskRuntime {
    pub(in crate::runtime) fn new(runtime: Handle) -> Self {
        Self(runtime)
    }
}

impl ForeignRuntime for TaskRuntime {
    fn enter(&self) -> ForeignPoll<'_> {
        let Self(runtime) = self;
        let recorded = runtime.scheduler.record_foreign_poll();
        panic_in_fork(runtime.driver().is_inherited());
        // The thread counts as busy for a paused clock.
        let busy = runtime.driver().busy_guard();
        let tokio = runtime.tokio.enter();
        let entered = context::enter_busy(runtime.clone());
        ForeignPoll::new((entered, tokio, busy, recorded))
    }
}

/// The runtime of a blocking job, for a thread of the pool that runs another job.
pub(super) struct JobRuntime {
    runtime: Handle,
    on_shutdown: OnShutdown,
}

impl JobRuntime {
    /// Returns `None` on a thread that is not one of the pool's.
    pub(super) fn of_this_thread(runtime: &Handle, on_shutdown: OnShutdown) -> Option<Self> {
        runtime.blocking.is_of_this_thread().then(|| Self {
            runtime: runtime.clone(),
            on_shutdown,
        })
    }
}

impl ForeignRuntime for JobRuntime {
    fn enter(&self) -> ForeignPoll<'_> {
        let inline = self.runtime.blocking.begin_inline(self.on_shutdown);
        let tokio = self.runtime.tokio.enter();
        // The queued job counts as busy, and so does the job that joins it.
        let entered = context::enter_busy(self.runtime.clone());
        ForeignPoll::new((entered, tokio, inline))
    }
}
