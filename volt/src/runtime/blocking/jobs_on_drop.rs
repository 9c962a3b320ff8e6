//! The setting for blocking jobs at the drop of a runtime.

use std::thread;
use std::time::{Duration, Instant};

use crate::runtime::handle::Handle;
use crate::runtime::pool::{Deadlines, PoolDeadlock};

/// The treatment of running blocking jobs when their runtime is dropped; see
/// [`Builder::jobs_on_drop`](crate::runtime::Builder::jobs_on_drop).
///
/// Jobs of [`spawn_blocking`](crate::spawn_blocking) that are still queued are cancelled in any
/// case.
///
/// Jobs of [`spawn_blocking_mandatory`](crate::spawn_blocking_mandatory), operations of files and
/// writes to the standard streams are never cancelled. The drop waits for them as for running jobs,
/// and at least as long as
/// [`Builder::shutdown_timeout`](crate::runtime::Builder::shutdown_timeout). It never waits for
/// reads of an open file, because a terminal or a pipe may have no input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobsOnDrop {
    /// The drop waits until all running jobs have ended, without a limit. It never returns if a job
    /// blocks forever, or waits for the dropping thread.
    ///
    /// In two cases the drop waits at most as long as
    /// [`Builder::shutdown_timeout`](crate::runtime::Builder::shutdown_timeout): if the thread
    /// drops the runtime because it panics, and if two runtimes are dropped by each other's jobs.
    #[default]
    Finish,
    /// The drop waits until all running jobs have ended, but at most this long. The time counts
    /// from the end of the tasks.
    FinishWithin(Duration),
    /// The drop waits only for the jobs that must run. Other running jobs go on, until they or the
    /// process end.
    Abandon,
}

impl JobsOnDrop {
    /// Waits for the jobs of a closed pool. `timeout` is the limit of a wait that might otherwise
    /// never end, and the minimum for the jobs that must run.
    pub(in crate::runtime) fn wait(self, runtime: &Handle, timeout: Duration) {
        let within = |limit| Instant::now().checked_add(limit);
        let both = |until| Deadlines {
            mandatory: until,
            others: until,
        };
        match self {
            Self::Finish if thread::panicking() => runtime.finish_blocking(both(within(timeout))),
            Self::Finish => match runtime.blocking.begin_wait() {
                Ok(_wait) => runtime.finish_blocking(both(None)),
                Err(PoolDeadlock) => runtime.finish_blocking(both(within(timeout))),
            },
            Self::FinishWithin(limit) => runtime.finish_blocking(Deadlines {
                mandatory: within(limit.max(timeout)),
                others: within(limit),
            }),
            Self::Abandon => runtime.finish_blocking(Deadlines {
                mandatory: within(timeout),
                others: within(Duration::ZERO),
            }),
        }
    }
}
