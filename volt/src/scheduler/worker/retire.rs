//! The end: workers retire, and the last of them stops all tasks.
//!
//! The first to do so at the end stops what is not being polled, as the others may be in polls that
//! wait for just that. One that goes before stops nothing but what is in its own queues; with the
//! last of them the end begins, as nobody would ever run a task again.

use crate::loom::sync::Arc;
use crate::task::FreeListShard;

use super::core::Core;
use crate::scheduler::idle::WaitPlace;
use crate::scheduler::shared::Shared;

/// How the last worker waits for polls elsewhere: it serves their timers and sockets.
struct InDriver<'a>(&'a Shared);

impl WaitPlace for InDriver<'_> {
    fn wait(&mut self) {
        let mut locked = self.0.driver_slot.lock();
        let driver_slot = locked
            .as_mut()
            .expect("the last worker takes it after this");
        // All other workers have retired. The driver itself counts the threads that block in place.
        if self.0.driver_handle.is_paused() && driver_slot.auto_advance(|| true) {
            return;
        }
        driver_slot.wait();
    }
}

impl Core {
    /// Stops all tasks in its queues.
    pub(crate) fn shutdown(mut self, shared: &Arc<Shared>) {
        while let Some(task) = self.buffer.pop().or_else(|| self.next_own(shared)) {
            task.shutdown();
        }
        self.ref_cache.clear(shared);
    }
}

impl Shared {
    /// Begins the end: no task enters any more, and every worker retires when its poll is over.
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

    /// A worker has emptied its queues and will run no more; the first one stops what it can, and
    /// the last one all tasks.
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
            // A task that is looked at may have its entry here, and goes back to it.
            self.drain();
            running
        });
        self.shutdown.mark_stopped();
        self.drain();
        let driver_slot = self.driver_slot.lock().take();
        drop(driver_slot);
    }

    /// A task was queued that no worker may come to.
    #[cold]
    pub(crate) fn drain_if_stopped(&self) {
        self.shutdown.notify_released(self);
        // ORDERING: the caller pushed under a lock that `drain` takes after `close`: it finds the
        // task, or we see that it is over.
        if self.shutdown.is_stopped() {
            self.drain();
        }
    }

    /// Stops what is in the global queue.
    fn drain(&self) {
        while let Some(task) = self.injector.pop() {
            task.shutdown();
        }
    }
}
