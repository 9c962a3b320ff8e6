//! The core of a worker whose thread blocks in a join.
//!
//! The joined task makes progress by itself: another thread polls it, or a worker will when it is
//! woken. So a thread may sleep while another worker is left whose thread does not. The last such
//! worker moves its core to a spare thread before it sleeps. Any worker does so if no thread polls
//! its target yet, because that may take long. A thread that returns without a core finishes its
//! poll, and ends after it.
//!
//! The number of spare threads is limited. If all are in use, a thread whose target is not being
//! polled keeps its core while it sleeps. The last worker that is awake must not sleep then,
//! because no worker would run tasks, so its join is refused.
//!
//! A thread that keeps its core is woken when all cores are needed:
//!
//! - at shutdown, because the last worker to retire cancels the remaining tasks;
//! - when the clock is paused, because its time passes only while all workers are quiescent.
//!
//! It moves its core to another thread then, without a limit: there are at most as many such cores
//! as workers.
//!
//! For a paused clock, the thread is busy from the moment at which it begins to block, except while
//! it sleeps. The thread that wakes it counts it as busy again.
//!
//! Other workers can take the tasks in the queues of a core whose thread sleeps. The task in the
//! LIFO slot is moved to the ring for that.

use crate::driver::BusyGuard;
use crate::loom::sync::Arc;
use crate::scheduler::config::TaskOrder;
use crate::scheduler::shared::Shared;
use crate::scheduler::threads::{StartThreadError, start_thread};
use crate::scheduler::worker::Worker;
use crate::scheduler::worker::with_worker;

/// The expected duration of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Another thread polls the target.
    Short,
    /// No thread polls the target yet.
    Long,
}

/// A function that moves the core to another thread if it is needed.
///
/// A sleeping thread calls it when `SchedulerHandle::wake_blocked_joiners` can wake it, before it
/// blocks, and each time it was woken.
pub(crate) type ReleaseCore<'a> = &'a mut dyn FnMut() -> Result<(), StartThreadError>;

/// Calls `sleep`, which blocks until a task is complete, and ensures that this thread's worker is
/// not needed meanwhile. The thread counts as busy in `sleep`, unless that function ends it.
///
/// # Errors
///
/// Returns an error if a spare thread is needed and there is none; then `sleep` is not called. If
/// the core is needed later, the [`ReleaseCore`] of `sleep` can return the error.
pub(crate) fn block_worker<R>(
    kind: BlockKind,
    sleep: impl FnOnce(ReleaseCore<'_>) -> R,
) -> Result<R, StartThreadError> {
    with_worker(|worker| match worker {
        Some(worker) => worker.block(kind, sleep),
        None => Ok(sleep(&mut || Ok(()))),
    })
}

impl Worker {
    fn block<R>(
        &self,
        kind: BlockKind,
        sleep: impl FnOnce(ReleaseCore<'_>) -> R,
    ) -> Result<R, StartThreadError> {
        let Some(order) = self.with_core(|core| core.order) else {
            return Ok(sleep(&mut || Ok(())));
        };
        let mut guard = BlockingGuard {
            worker: self,
            busy: Some(self.shared.driver_handle.busy_guard()),
            blocked_core: None,
        };
        // A local worker stays on its thread, and so do its tasks.
        if order == TaskOrder::NewestFirst {
            guard.prepare(kind)?;
            self.watch.record_block();
        }
        Ok(sleep(&mut || guard.release_core()))
    }

    /// Moves the core to another thread, unless there are `most` threads already.
    fn hand_off(&self, most: usize) -> Result<(), StartThreadError> {
        let Some(core) = self.core.borrow_mut().take() else {
            return Ok(());
        };
        let other = Self::new(Arc::clone(&self.shared), core);
        start_thread(other, most).map_err(|mut failed| {
            *self.core.borrow_mut() = failed.worker.core.get_mut().take();
            failed.error
        })
    }
}

/// The worker of a thread that blocks.
struct BlockingGuard<'a> {
    worker: &'a Worker,
    /// Present until the core moves to another thread; the worker has it afterwards.
    busy: Option<BusyGuard>,
    /// Present while the core is on this thread.
    blocked_core: Option<BlockedCoreGuard<'a>>,
}

impl BlockingGuard<'_> {
    fn prepare(&mut self, kind: BlockKind) -> Result<(), StartThreadError> {
        let shared = &*self.worker.shared;
        let most = shared.workers().saturating_add(shared.config.spare_threads);
        if kind == BlockKind::Short && self.keep_core() {
            return Ok(());
        }
        self.hand_off(most).or_else(|error| {
            let stays = kind == BlockKind::Long && self.keep_core();
            if stays { Ok(()) } else { Err(error) }
        })
    }

    /// Keeps the core on this thread. Returns `false` if this is the last worker that is awake.
    fn keep_core(&mut self) -> bool {
        let shared = &*self.worker.shared;
        if !shared.try_block_core() {
            return false;
        }
        self.blocked_core = Some(BlockedCoreGuard(shared));
        self.worker.with_core(|core| core.offer_all(shared));
        true
    }

    /// Moves the core to another thread if it is needed.
    fn release_core(&mut self) -> Result<(), StartThreadError> {
        let shared = &*self.worker.shared;
        if self.blocked_core.is_none() || !shared.needs_all_cores() {
            return Ok(());
        }
        match self.hand_off(usize::MAX) {
            Ok(()) => self.blocked_core = None,
            // The shutdown, or the end of the target, wakes the thread.
            Err(_) if shared.is_stopping() => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn hand_off(&mut self, most: usize) -> Result<(), StartThreadError> {
        self.worker.hand_off(most)?;
        self.worker.detached_busy_guard.replace(self.busy.take());
        Ok(())
    }
}

/// A core whose thread sleeps, as counted by [`Shared::try_block_core`].
struct BlockedCoreGuard<'a>(&'a Shared);

impl Drop for BlockedCoreGuard<'_> {
    fn drop(&mut self) {
        self.0.unblock_core();
    }
}
