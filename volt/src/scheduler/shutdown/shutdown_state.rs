//! How far the end of a scheduler has come, and the wait for the last polls.
//!
//! The last worker that retires stops all tasks. A thread that is no worker may be polling one
//! just then, for as long as it likes, and a dump may be looking at one. Such a task is doomed and
//! stops as soon as it is let go of; so does the last worker's work end, which sleeps till then.
//!
//! # Protocol
//!
//! The last worker
//! 1. notes how many events there were;
//! 2. stops or dooms what is in the registry; if nothing was left to others, it is done;
//! 3. waits in the driver until there were more events, and begins again. A task that blocks its
//!    thread in place may wait for a timer or a socket, which nobody else serves by then.
//!
//! Whoever lets go of a doomed task tells of an event after
//! - it took the task out of the registry, at a shard that it found closed;
//! - or it queued the task, as a dump does, when it finds that the end has begun.
//!
//! Then it rings the driver_handle of the driver, which remembers a ring that comes before the
//! wait.
//!
//! Whoever finds the shard open was there before it was closed, and its task is not found by the
//! walk. Whoever finds the task doomed sees that the end has begun, as that came first.

use crate::loom::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
use crate::loom::sync::atomic::{AtomicBool, AtomicUsize};
use crate::loom::sync::{Condvar, Mutex};

use crate::scheduler::idle::{DriverInterrupt, WaitPlace};

/// The end of one scheduler.
#[derive(Debug)]
pub(crate) struct ShutdownState {
    stopping: AtomicBool,
    /// Workers that have not retired.
    active: AtomicUsize,
    /// One has retired at the end.
    first_retired: AtomicBool,
    /// All workers have retired; who queues a task now must take it out again.
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

    /// The end begins.
    pub(crate) fn begin(&self) {
        // ORDERING: SeqCst, with the fences of those who go to sleep; but the unparks alone
        // would do, as each is remembered.
        self.stopping.store(true, SeqCst);
    }

    #[inline]
    pub(crate) fn has_begun(&self) -> bool {
        self.stopping.load(Acquire)
    }

    /// How many workers have not retired.
    pub(crate) fn active(&self) -> usize {
        self.active.load(SeqCst)
    }

    /// One worker retires; true if it is the last.
    pub(crate) fn retire_worker(&self) -> bool {
        // ORDERING: SeqCst orders the retirements: the last comes after all polls.
        self.active.fetch_sub(1, SeqCst) == 1
    }

    /// True once the end has begun, for the first that asks.
    pub(crate) fn is_first_to_retire(&self) -> bool {
        // ORDERING: Relaxed: what the first does, the last does again.
        self.has_begun() && !self.first_retired.swap(true, Relaxed)
    }

    /// Calls `stop`, which returns the number of tasks that others have, until that is zero.
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

    /// A task was let go of.
    #[cold]
    pub(crate) fn notify_released(&self, interrupt: &impl DriverInterrupt) {
        *self.events.lock() += 1;
        self.happened.notify_all();
        interrupt.interrupt_driver();
    }

    /// All workers have retired.
    pub(crate) fn mark_stopped(&self) {
        // ORDERING: Relaxed: the lock of the global queue, which the last worker takes after this,
        // orders it: either it finds a task there, or whoever queues that finds that it has gone.
        self.all_retired.store(true, Relaxed);
    }

    /// Whether nobody will look into the global queue any more.
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

    /// The model waits at the condition variable.
    struct NoInterrupt;
    impl DriverInterrupt for NoInterrupt {
        fn interrupt_driver(&self) {}

        fn wake_standby(&self) {}
    }

    /// A task that another thread has, which ends or is queued again; the shard is its lock.
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

    /// Fails if nobody tells of the end, or if the events are noted after the walk.
    #[test]
    fn last_worker_sees_the_end_of_what_others_poll() {
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

    /// Fails if nobody tells of a task that was queued.
    #[test]
    fn last_worker_finds_what_was_looked_at() {
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
