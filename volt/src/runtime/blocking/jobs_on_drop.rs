//! What the drop of a runtime does about blocking jobs.

use std::thread;
use std::time::{Duration, Instant};

use crate::runtime::handle::Handle;
use crate::runtime::pool::{Deadlines, PoolDeadlock};

/// What the drop of a runtime does about the jobs of
/// [`spawn_blocking`](crate::spawn_blocking) that have begun; see
/// [`Builder::jobs_on_drop`](crate::runtime::Builder::jobs_on_drop).
///
/// Jobs that no thread has begun with are cancelled in any case, and so their handles say.
///
/// Jobs of [`spawn_blocking_mandatory`](crate::spawn_blocking_mandatory), the operations of files and the
/// writes to the standard streams are not cancelled. The drop waits for them as for jobs that have
/// begun, and at least as long as
/// [`Builder::shutdown_timeout`](crate::runtime::Builder::shutdown_timeout) says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobsOnDrop {
    /// It waits until all of them are over, however long that takes. A job that blocks for ever, or
    /// for something that the dropping thread would do afterwards, keeps it for ever.
    ///
    /// It waits no longer than [`Builder::shutdown_timeout`](crate::runtime::Builder::shutdown_timeout) where
    /// the thread drops the runtime because it panics, or in a job for which one of those jobs waits,
    /// as it drops the runtime of that job in turn.
    #[default]
    Finish,
    /// It waits until all of them are over, but no longer than this, counted from the time when the
    /// tasks have ended.
    FinishWithin(Duration),
    /// It waits for the jobs that must run, and for no other. A job that runs as the process ends is cut
    /// off in the middle.
    Abandon,
}

impl JobsOnDrop {
    /// Waits for the jobs of a closed pool. `timeout` is the limit where a wait without one might have
    /// no end, and the least time that the jobs which must run have.
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
