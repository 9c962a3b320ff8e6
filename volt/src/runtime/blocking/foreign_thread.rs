//! Threads that enter the runtime of a task to poll the task they join.

use super::block_on::panic_in_fork;
use crate::driver::BusyGuard;
use crate::runtime::context::{self, EnterGuard};
use crate::runtime::handle::Handle;
use crate::runtime::pool::{InlineJobGuard, OnShutdown};
use crate::scheduler::ForeignPollRecord;

/// The runtime of a task, for a thread outside of it. The scheduler of the task returns it.
pub(in crate::runtime) enum ForeignRuntime {
    /// The thread is not one of the workers.
    Workers(Handle),
    /// The task is a blocking job, and the thread of the pool runs another job.
    Pool(Handle, OnShutdown),
}

/// Permits this thread to poll a task of a runtime that it is not in. The drop leaves the runtime.
#[must_use = "the thread leaves the runtime when this is dropped"]
pub(super) struct ForeignPoll<'a> {
    // The fields are dropped in this order.
    _entered: EnterGuard<'a>,
    _busy: Option<BusyGuard>,
    _record: Option<ForeignPollRecord>,
    _inline: Option<InlineJobGuard<'a>>,
}

impl ForeignRuntime {
    /// Returns the runtime of a blocking job. Returns `None` on a thread that is not one of the
    /// pool's.
    pub(super) fn of_job(runtime: &Handle, on_shutdown: OnShutdown) -> Option<Self> {
        let is_on_pool = runtime.blocking.is_of_this_thread();
        is_on_pool.then(|| Self::Pool(runtime.clone(), on_shutdown))
    }

    /// Enters the runtime on this thread. The thread may poll the task until the guard is dropped.
    pub(super) fn enter(&self) -> ForeignPoll<'_> {
        match self {
            Self::Workers(runtime) => {
                let record = runtime.scheduler.record_foreign_poll();
                panic_in_fork(runtime.driver().is_inherited());
                // The thread counts as busy for a paused clock.
                let busy = runtime.driver().busy_guard();
                ForeignPoll {
                    _entered: enter_busy(runtime),
                    _busy: Some(busy),
                    _record: Some(record),
                    _inline: None,
                }
            }
            Self::Pool(runtime, on_shutdown) => {
                let inline = runtime.blocking.begin_inline(*on_shutdown);
                ForeignPoll {
                    // The queued job counts as busy, and so does the job that joins it.
                    _entered: enter_busy(runtime),
                    _busy: None,
                    _record: None,
                    _inline: Some(inline),
                }
            }
        }
    }
}

fn enter_busy(runtime: &Handle) -> EnterGuard<'_> {
    let tokio = runtime.tokio.enter();
    context::enter_busy(runtime.clone()).with_tokio(tokio)
}
