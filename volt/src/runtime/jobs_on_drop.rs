//! What the drop of a runtime does about blocking jobs.

use std::thread;
use std::time::{Duration, Instant};

use super::blocking::BlockingPool;

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
    /// Where the thread drops the runtime because it panics, it waits no longer than
    /// [`Builder::shutdown_timeout`](super::Builder::shutdown_timeout).
    #[default]
    Finish,
    /// It waits until all of them are over, but no longer than this, counted from the time when the
    /// tasks have ended.
    FinishWithin(Duration),
    /// It does not wait. A job that runs as the process ends is cut off in the middle.
    Abandon,
}

impl JobsOnDrop {
    /// Waits for the jobs of a closed pool.
    pub(super) fn wait(self, pool: &BlockingPool, while_panicking: Duration) {
        let limit = match self {
            Self::Finish if thread::panicking() => Some(while_panicking),
            Self::Finish => None,
            Self::FinishWithin(limit) => Some(limit),
            Self::Abandon => return,
        };
        pool.finish(limit.and_then(|limit| Instant::now().checked_add(limit)));
    }
}
