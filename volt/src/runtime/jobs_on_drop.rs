//! What the drop of a runtime does about blocking jobs.

use std::thread;
use std::time::{Duration, Instant};

use super::blocking_pool::{BlockingPool, WaitsForThisThread};

/// What the drop of a runtime does about the jobs of
/// [`spawn_blocking`](crate::spawn_blocking) that have begun; see
/// [`Builder::jobs_on_drop`](super::Builder::jobs_on_drop).
///
/// Jobs that no thread has begun with are cancelled in any case, and so their handles say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JobsOnDrop {
    /// It waits until all of them are over, however long that takes. A job that blocks for ever, or
    /// for something that the dropping thread would do afterwards, keeps it for ever.
    ///
    /// It waits no longer than [`Builder::shutdown_timeout`](super::Builder::shutdown_timeout) where
    /// the thread drops the runtime because it panics, or in a job for which one of those jobs waits,
    /// as it drops the runtime of that job in turn.
    #[default]
    Finish,
    /// It waits until all of them are over, but no longer than this, counted from the time when the
    /// tasks have ended.
    FinishWithin(Duration),
    /// It does not wait. A job that runs as the process ends is cut off in the middle.
    Abandon,
}

impl JobsOnDrop {
    /// Waits for the jobs of a closed pool; `at_most` so long where waiting without a limit might have
    /// no end.
    pub(super) fn wait(self, pool: &BlockingPool, at_most: Duration) {
        let within = |limit| {
            pool.finish(Instant::now().checked_add(limit));
        };
        match self {
            Self::Finish if thread::panicking() => within(at_most),
            Self::Finish => match pool.begin_wait() {
                Ok(_wait) => _ = pool.finish(None),
                Err(WaitsForThisThread) => within(at_most),
            },
            Self::FinishWithin(limit) => within(limit),
            Self::Abandon => {}
        }
    }
}
