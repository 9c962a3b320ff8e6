//! `Handle`: a reference to a runtime.

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};

use super::pool::BlockingPool;
use super::tokio_context::TokioContext;
use crate::driver::DriverHandle;
use crate::loom::sync::Arc;
use crate::scheduler::{self, Stats};
use crate::task::{JoinHandle, NamedMetadata, boxed_if_large};

/// A reference to a [`Runtime`](super::Runtime), to spawn tasks from any thread and to inspect it.
///
/// A handle does not keep the runtime running. Tasks that are spawned after its shutdown are
/// cancelled at once.
#[derive(Clone)]
pub struct Handle {
    pub(super) scheduler: scheduler::SchedulerHandle,
    pub(super) blocking: Arc<BlockingPool>,
    pub(super) tokio: TokioContext,
}

impl Handle {
    pub(super) fn new(
        scheduler: scheduler::SchedulerHandle,
        blocking: Arc<BlockingPool>,
        tokio: TokioContext,
    ) -> Self {
        Self {
            scheduler,
            blocking,
            tokio,
        }
    }

    /// Runs `future` as a task, on any worker.
    ///
    /// The task starts even if its handle is not awaited. Dropping the handle detaches the task.
    /// A task that is spawned during or after the shutdown of its runtime is cancelled at once: its
    /// future is dropped, and its handle returns an error.
    ///
    /// The future is moved into the memory of the task. A future of more than 16 KiB is moved into
    /// a box first, so that the stack of the caller contains no copies of it.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let location = Location::caller();
        boxed_if_large!(F, |future, location| self.scheduler.spawn(future, location))
    }

    /// Runs `future` as a task with a name, which [`dump`](Self::dump) shows; see
    /// [`spawn`](Self::spawn).
    #[track_caller]
    pub fn spawn_named<F>(&self, name: impl Into<String>, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let metadata = NamedMetadata::new(name.into(), Location::caller());
        boxed_if_large!(F, |future, metadata| self.scheduler.spawn(future, metadata))
    }

    /// Returns counters of the workers and their queues, which are empty in a fork of the process.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.scheduler.stats()
    }

    pub(super) fn driver(&self) -> &DriverHandle {
        self.scheduler.driver()
    }
}

// Panics of user code are caught at its calls, so no state is left inconsistent.
impl UnwindSafe for Handle {}
impl RefUnwindSafe for Handle {}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.stats();
        f.debug_struct("Handle")
            .field("name", &self.name())
            .field("workers", &stats.workers.len())
            .field("alive", &stats.alive)
            .field("stopping", &self.scheduler.is_stopping())
            .finish_non_exhaustive()
    }
}
