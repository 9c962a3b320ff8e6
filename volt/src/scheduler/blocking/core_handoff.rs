//! What becomes of a worker whose thread blocks in a join.
//!
//! The task that is joined makes progress by itself: it is being polled by another thread, or
//! some worker will poll it when it is woken. So a thread may just sleep, as long as one worker is
//! left whose thread does not. The last one gives its core to a spare thread before it sleeps, and
//! so does everyone whose target is not even being polled, as that may take long. A thread that
//! comes back without a core goes on with its poll, and ends after it.
//!
//! There are so many spare threads and no more. If all of them are in use, a thread whose target is
//! not being polled sleeps beside its core too, and the last one does not sleep at all: nobody
//! would be left to run anything, so its join is refused.
//!
//! Whoever sleeps beside its core is called where all cores are needed: at the end, as the last one
//! to retire stops what is left, and when a clock is paused, whose time passes while all of them
//! rest. Then it gives its core away after all, whatever the number of threads: there are no more
//! such cores than workers.
//!
//! For a paused clock a thread is at work from the moment at which it leaves its core, but for the
//! time that it sleeps: whoever wakes it counts it.
//!
//! Tasks in the queues of a core that stays are there for others to take; the one in the LIFO slot
//! is moved to the ring for that.

use crate::driver::BusyGuard;
use crate::loom::sync::Arc;
use crate::scheduler::shared::Shared;
use crate::scheduler::threads::{StartThreadError, start_thread};
use crate::scheduler::worker::Worker;
use crate::scheduler::worker::with_worker;

/// How long the thread is expected to be away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Somebody polls what it waits for.
    Short,
    /// Nobody does.
    Long,
}

/// What a thread that sleeps in a join calls once it can be woken by
/// [`SchedulerHandle::wake_blocked_joiners`], before it blocks, and whenever it was woken.
///
/// [`SchedulerHandle::wake_blocked_joiners`]: super::SchedulerHandle::wake_blocked_joiners
pub(crate) type ReleaseCore<'a> = &'a mut dyn FnMut() -> Result<(), StartThreadError>;

/// Calls `sleep`, which blocks until a task is complete, and sees to it that nobody needs this
/// thread's worker meanwhile. It counts as at work in `sleep`, until that says otherwise.
///
/// # Errors
///
/// If a spare thread is needed and there is none; then `sleep` is not called. Should a core be
/// needed later, the [`ReleaseCore`] of `sleep` answers so.
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
        let Some(in_order) = self.with_core(|core| core.in_order) else {
            return Ok(sleep(&mut || Ok(())));
        };
        let mut guard = BlockingGuard {
            worker: self,
            busy: Some(self.shared.driver_handle.busy_guard()),
            blocked_core: None,
        };
        // Else it stays on its thread, and so do its tasks: they rest meanwhile.
        if !in_order {
            guard.prepare(kind)?;
        }
        Ok(sleep(&mut || guard.release_core()))
    }

    /// Puts the core on another thread, unless there are `most` already.
    fn hand_off(&self, most: usize) -> Result<(), StartThreadError> {
        let Some(core) = self.core.borrow_mut().take() else {
            return Ok(());
        };
        let other = Self::new(Arc::clone(&self.shared), core);
        start_thread(other, most).map_err(|(error, mut other)| {
            *self.core.borrow_mut() = other.core.get_mut().take();
            error
        })
    }
}

/// A worker whose thread sleeps.
struct BlockingGuard<'a> {
    worker: &'a Worker,
    /// There until the core is elsewhere; then the worker has it.
    busy: Option<BusyGuard>,
    /// There while the core is here.
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

    /// False if this is the last worker that is awake.
    fn keep_core(&mut self) -> bool {
        let shared = &*self.worker.shared;
        if !shared.try_block_core() {
            return false;
        }
        self.blocked_core = Some(BlockedCoreGuard(shared));
        self.worker.with_core(|core| core.offer_all(shared));
        true
    }

    /// Gives the core away, should it be needed.
    fn release_core(&mut self) -> Result<(), StartThreadError> {
        let shared = &*self.worker.shared;
        if self.blocked_core.is_none() || !shared.needs_all_cores() {
            return Ok(());
        }
        match self.hand_off(usize::MAX) {
            Ok(()) => self.blocked_core = None,
            // Its own end, or that of its target, wakes the thread.
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

/// A core whose thread sleeps, as [`Shared::try_block_core`] has counted.
struct BlockedCoreGuard<'a>(&'a Shared);

impl Drop for BlockedCoreGuard<'_> {
    fn drop(&mut self) {
        self.0.unblock_core();
    }
}
