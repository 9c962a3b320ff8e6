//! The state of a scheduler's shutdown, and the wait for the last polls.
//!
//! The last worker that retires cancels all tasks. Another thread may be polling a task at that
//! moment, for any time, or a dump may be reading one. Such a task is force-cancelled: it is
//! dropped when the other thread releases it. The last worker waits for that.
//!
//! # Protocol
//!
//! The last worker
//! 1. reads the number of events;
//! 2. drops or force-cancels the tasks of the registry; if no other thread has one, it is done;
//! 3. waits in the driver until there are more events, and repeats these steps. A task that blocks
//!    its thread may wait for a timer or a socket, which only this worker serves.
//!
//! A thread that releases a force-cancelled task adds an event after
//! - it has removed the task from the registry, at a shard that it found closed;
//! - or it has queued the task, as a dump does, and found that the shutdown has begun.
//!
//! Then it interrupts the driver, which remembers an interrupt that precedes the wait.
//!
//! A thread that finds the shard open came before it was closed, so the walk over the registry does
//! not find its task. A thread that finds the task force-cancelled also sees that the shutdown has
//! begun, because that was written first.

use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use crate::loom::sync::atomic::{AtomicBool, AtomicUsize};
use crate::loom::sync::{Condvar, Mutex};

use crate::scheduler::idle::{DriverInterrupt, WaitPlace};

/// The shutdown of one scheduler.
#[derive(Debug)]
pub(crate) struct ShutdownState {
    stopping: AtomicBool,
    /// Workers that have not retired.
    active: AtomicUsize,
    /// A worker has retired during the shutdown.
    first_retired: AtomicBool,
    /// All workers have retired; a thread that queues a task now must drain the queue.
    all_retired: AtomicBool,
    events: Mutex<u64>,
    happened: Condvar,
}

impl ShutdownState {
    pub(crate) fn new(workers: usize) -> Self {
        Self {
            stopping: AtomicBool::new(false),
            active: AtomicUsize::new(workers),
            first_retired: AtomicBool::new(false),
            all_retired: AtomicBool::new(false),
            events: Mutex::new(0),
            happened: Condvar::new(),
        }
    }

    /// Begins the shutdown.
    pub(crate) fn begin(&self) {
        // ORDERING: SeqCst, with the fences of workers that go to sleep. The unparks alone would be
        // enough, because each is remembered.
        self.stopping.store(true, SeqCst);
    }

    #[inline]
    pub(crate) fn has_begun(&self) -> bool {
        self.stopping.load(Acquire)
    }

    /// Returns the number of workers that have not retired.
    pub(crate) fn active(&self) -> usize {
        self.active.load(SeqCst)
    }

    /// Retires one worker; returns `true` if it is the last.
    pub(crate) fn retire_worker(&self) -> bool {
        // ORDERING: SeqCst orders the retirements: the last one follows all polls.
        self.active.fetch_sub(1, SeqCst) == 1
    }

    /// Returns `true` for the first caller after the shutdown has begun.
    pub(crate) fn is_first_to_retire(&self) -> bool {
        // ORDERING: Relaxed: the last worker repeats the work of the first.
        self.has_begun() && !self.first_retired.swap(true, Relaxed)
    }

    /// Calls `stop` until it returns zero. It returns the number of tasks that other threads have.
    ///
    /// Waits in the `driver` between two calls, if there is one.
    pub(crate) fn stop_all(
        &self,
        mut driver: Option<&mut dyn WaitPlace>,
        mut stop: impl FnMut() -> usize,
    ) {
        let mut seen = *self.events.lock();
        while stop() > 0 {
            let mut events = self.events.lock();
            while *events == seen {
                match &mut driver {
                    Some(driver) => {
                        drop(events);
                        driver.wait();
                        events = self.events.lock();
                    }
                    None => events = self.happened.wait(events, None),
                }
            }
            seen = *events;
        }
    }

    /// Adds an event: a task was released.
    #[cold]
    pub(crate) fn notify_released(&self, interrupt: &impl DriverInterrupt) {
        *self.events.lock() += 1;
        self.happened.notify_all();
        interrupt.interrupt_driver();
    }

    /// Records that all workers have retired.
    pub(crate) fn mark_stopped(&self) {
        // ORDERING: Relaxed: the lock of the global queue, which the last worker takes after this,
        // orders it. Either the worker finds a task there, or the thread that queues it reads this
        // flag.
        self.all_retired.store(true, Relaxed);
    }

    /// Returns `true` if no worker will check the global queue any more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.all_retired.load(Relaxed)
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::{DriverInterrupt, ShutdownState};
    use crate::loom::sync::atomic::AtomicU8;
    use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
    use crate::loom::sync::{Arc, Mutex};
    use crate::loom::thread;

    const RUNS: u8 = 0;
    const DOOMED: u8 = 1;
    const QUEUED: u8 = 2;
    const GONE: u8 = 3;

    /// The model waits on the condition variable.
    struct NoInterrupt;
    impl DriverInterrupt for NoInterrupt {
        fn interrupt_driver(&self) {}

        fn wake_standby(&self) {}
    }

    /// A task that another thread has, and then completes or queues. `shard` is the lock of its
    /// shard.
    struct World {
        shutdown: ShutdownState,
        task: AtomicU8,
        shard: Mutex<bool>,
    }

    impl World {
        fn shared() -> [Arc<Self>; 2] {
            let world = Arc::new(Self {
                shutdown: ShutdownState::new(1),
                task: AtomicU8::new(RUNS),
                shard: Mutex::new(false),
            });
            [Arc::clone(&world), world]
        }

        fn stop_all(&self) {
            self.shutdown.begin();
            *self.shard.lock() = true;
            assert!(self.shutdown.retire_worker());
            self.shutdown.stop_all(None, || {
                let had = self.task.compare_exchange(RUNS, DOOMED, AcqRel, Acquire);
                if had == Err(QUEUED) {
                    let _ = self.task.swap(GONE, AcqRel);
                }
                usize::from(matches!(had, Ok(_) | Err(DOOMED)))
            });
            assert_eq!(self.task.load(Relaxed), GONE);
        }

        fn end(&self) {
            let mut shard = self.shard.lock();
            let _ = self.task.swap(GONE, AcqRel);
            let closed = std::mem::take(&mut *shard);
            drop(shard);
            if closed {
                self.shutdown.notify_released(&NoInterrupt);
            }
        }

        fn requeue(&self) {
            if self.task.swap(QUEUED, AcqRel) == DOOMED {
                assert!(self.shutdown.has_begun());
                self.shutdown.notify_released(&NoInterrupt);
            }
        }
    }

    /// Breaks without the event of a completed task, and when the events are read after the walk.
    #[test]
    fn last_worker_sees_end_of_foreign_polls() {
        loom::model(|| {
            let [last, poller] = World::shared();
            let threads = [
                thread::spawn(move || last.stop_all()),
                thread::spawn(move || poller.end()),
            ];
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }

    /// Breaks without the event of a queued task.
    #[test]
    fn last_worker_finds_requeued_task() {
        loom::model(|| {
            let [last, looker] = World::shared();
            let threads = [
                thread::spawn(move || last.stop_all()),
                thread::spawn(move || looker.requeue()),
            ];
            for thread in threads {
                thread.join().unwrap();
            }
        });
    }
}
