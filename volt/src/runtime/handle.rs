//! The handle by which others reach a runtime.

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};

use super::pool::BlockingPool;
use super::tokio_context::TokioContext;
use crate::driver::DriverHandle;
use crate::loom::sync::Arc;
use crate::scheduler::{self, Stats};
use crate::task::{JoinHandle, NamedMetadata, boxed_if_large};

/// A reference to a [`Runtime`](super::Runtime), to spawn from anywhere and to look inside.
///
/// It does not keep the runtime running: what is spawned after its end is cancelled at once.
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

    /// Runs `future` as a task of its own, on any worker.
    ///
    /// It starts without being awaited. Dropping the handle detaches it. A task that is spawned
    /// while its runtime ends, or after, is cancelled at once: its future is dropped, and its
    /// handle says so.
    ///
    /// The future is moved into the task's own memory; one of more than 16 KiB into a box first, so
    /// that no copies of it lie on the stack of the caller.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let location = Location::caller();
        boxed_if_large!(F, |future, location| self.scheduler.spawn(future, location))
    }

    /// As [`spawn`](Self::spawn), with a name that [`dump`](Self::dump) shows.
    #[track_caller]
    pub fn spawn_named<F>(&self, name: impl Into<String>, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let metadata = NamedMetadata::new(name.into(), Location::caller());
        boxed_if_large!(F, |future, metadata| self.scheduler.spawn(future, metadata))
    }

    /// What the workers have done so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.scheduler.stats()
    }

    pub(super) fn driver(&self) -> &DriverHandle {
        self.scheduler.driver()
    }
}

// Panics of the user's code are caught where it is called, and leave nothing half-changed.
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
