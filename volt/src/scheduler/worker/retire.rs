//! The shutdown: workers retire, and the last one cancels all tasks.
//!
//! The first worker that retires during a shutdown cancels the tasks that are not being polled,
//! because polls of the other workers may wait for them. A worker that retires earlier cancels only
//! the tasks in its own queues. If it is the last one, the shutdown begins, because no worker would
//! poll a task again.

use crate::loom::sync::Arc;
use crate::task::{FreeListShard, Runnable};

use super::core::Core;
use crate::scheduler::idle::WaitPlace;
use crate::scheduler::shared::Shared;

/// The place in which the last worker waits for polls on other threads: it serves their timers and
/// sockets in the driver.
struct InDriver<'a>(&'a Shared);

impl WaitPlace for InDriver<'_> {
    fn wait(&mut self) {
        let mut locked = self.0.driver_slot.lock();
        let driver_slot = locked
            .as_mut()
            .expect("the last worker takes it after this");
        // All other workers have retired. The driver itself counts the threads that block.
        if self.0.driver_handle.is_paused() && driver_slot.auto_advance(|| true) {
            return;
        }
        driver_slot.wait();
    }
}

impl Core {
    /// Cancels all tasks in the queues of the worker.
    pub(crate) fn shutdown(mut self, shared: &Arc<Shared>) {
        while let Some(task) = self.buffer.pop().or_else(|| self.pop_own()) {
            task.shutdown();
        }
        self.ref_cache.clear(shared);
    }

    /// Takes a task of the worker's own. Counts no poll.
    fn pop_own(&mut self) -> Option<Runnable> {
        let repeated = self.repeated.take();
        repeated
            .or_else(|| self.lifo.take())
            .or_else(|| self.ring.pop())
    }
}

impl Shared {
    /// Begins the shutdown: no task is registered any more, and each worker retires after its
    /// current poll.
    pub(crate) fn stop(&self) {
        self.registry.close();
        self.injector.with_registrar(FreeListShard::close);
        self.shutdown.begin();
        for remote in &self.remotes {
            remote.parker.unpark(self);
        }
    }

    #[inline]
    pub(crate) fn is_stopping(&self) -> bool {
        self.shutdown.has_begun()
    }

    /// Retires a worker, which has emptied its queues. The first one cancels the tasks that are not
    /// being polled, and the last one all tasks.
    pub(crate) fn retire(&self) {
        if !self.shutdown.retire_worker() {
            if self.shutdown.is_first_to_retire() {
                self.registry.shutdown_all();
            }
            return;
        }
        if !self.is_stopping() {
            self.stop();
        }
        self.shutdown.stop_all(Some(&mut InDriver(self)), || {
            let running = self.registry.shutdown_all();
            // A task that a dump reads may have its entry in this queue, and returns to it.
            self.drain();
            running
        });
        self.shutdown.mark_stopped();
        self.drain();
        let driver_slot = self.driver_slot.lock().take();
        drop(driver_slot);
    }

    /// Drains the global queue after a task was queued that no worker may find.
    #[cold]
    pub(crate) fn drain_if_stopped(&self) {
        self.shutdown.notify_released(self);
        // ORDERING: the caller pushed under a lock that `drain` takes after `mark_stopped`. Either
        // that `drain` finds the task, or we read the flag.
        if self.shutdown.is_stopped() {
            self.drain();
        }
    }

    /// Cancels the tasks in the global queue.
    fn drain(&self) {
        while let Some(task) = self.injector.pop() {
            task.shutdown();
        }
    }
}
