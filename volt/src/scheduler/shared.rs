//! The state that all workers of a scheduler share.

use std::any::Any;
use std::fmt;
use std::sync::OnceLock;
use std::time::Instant;

use crossbeam_utils::CachePadded;

use crate::driver::{Driver, DriverHandle};
use crate::loom::sync::atomic::Ordering::{Relaxed, SeqCst};
use crate::loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, fence};
use crate::loom::sync::{Arc, Mutex};
use crate::task::{FreeListShard, Registry, Runnable};

use super::batched_arc::BatchedCount;
use super::config::Config;
use super::idle::{DriverInterrupt, DriverSlot, IdleSet, Parker, Standby};
use super::observe::{Counters, SlowPollLog, Stats, WorkerStats};
use super::queue::ExternalWorkHint;
use super::queue::{BufferStealer, Injector, IntoRawPtr, LifoStealer, RingStealer};
use super::shutdown::ShutdownState;
use super::shutdown::ThreadSet;

/// Stores the runtime of a scheduler in a slot, for a thread that is not one of its workers.
pub(super) type ForeignRuntimeFn = Box<dyn Fn(Arc<Shared>, &mut dyn Any) + Send + Sync>;

/// The index that means no worker.
const NO_WORKER: usize = usize::MAX;

// SAFETY: both are functions of `Runnable`, with the same contract.
unsafe impl IntoRawPtr for Runnable {
    #[inline]
    fn into_raw(self) -> std::ptr::NonNull<()> {
        Self::into_raw(self)
    }

    #[inline]
    unsafe fn from_raw(raw: std::ptr::NonNull<()>) -> Self {
        // SAFETY: the caller's contract is the same.
        unsafe { Self::from_raw(raw) }
    }
}

/// The side of a worker that other workers use.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) ring: RingStealer<Runnable>,
    pub(super) buffer: BufferStealer<Runnable>,
    pub(super) lifo: LifoStealer<Runnable>,
    pub(super) parker: Parker,
    pub(super) counters: CachePadded<Counters>,
    /// The number of the poll in which the monitor saw it.
    pub(super) monitored_poll: AtomicU64,
}

impl Remote {
    /// Returns `true` if any worker may take a task from it at any time.
    pub(super) fn has_stealable(&self) -> bool {
        self.ring.has_stealable() || self.buffer.has_stealable()
    }

    /// Returns `true` if any of its queues has a task.
    pub(super) fn holds_tasks(&self) -> bool {
        self.lifo.has_stealable() || self.has_stealable()
    }

    /// Returns `true` if it has a task, and is still in the poll in which the monitor saw it.
    pub(super) fn is_stalled(&self) -> bool {
        self.holds_tasks() && self.monitored_poll.load(Relaxed) == self.counters.polled.get()
    }
}

/// One scheduler.
pub(super) struct Shared {
    pub(super) injector: Injector<Runnable, FreeListShard>,
    pub(super) idle: IdleSet,
    pub(super) remotes: Box<[Remote]>,
    pub(super) registry: Registry,
    /// The count of references that tasks have to this.
    pub(super) batched_count: BatchedCount,
    /// The driver, in which one worker at a time waits.
    pub(super) driver_slot: Mutex<Option<DriverSlot>>,
    /// The worker that is in the driver, or was there last; a hint, to wake it last.
    driver_worker: AtomicUsize,
    /// A worker is in the driver now.
    driver_occupied: AtomicBool,
    /// The worker that takes the driver slot if it stays empty.
    pub(super) standby: Standby,
    /// The worker in the driver monitors the others.
    pub(super) has_monitor: AtomicBool,
    /// The monitor checks rarely; filling a slot wakes it.
    pub(super) monitor_backed_off: CachePadded<AtomicBool>,
    /// The number of checks by the monitor.
    #[cfg(test)]
    pub(super) monitor_rounds: AtomicU64,
    pub(super) driver_handle: DriverHandle,
    pub(super) started: Instant,
    /// A task was queued from outside.
    pub(super) external_hint: ExternalWorkHint,
    pub(super) config: Config,
    /// Present if threads of no scheduler may poll the tasks of this one.
    pub(super) foreign_runtime_fn: OnceLock<ForeignRuntimeFn>,
    pub(super) thread_set: ThreadSet,
    pub(super) shutdown: ShutdownState,
    /// Workers whose threads block and keep their cores.
    blocked_cores: AtomicUsize,
    /// Polls inside of joins, by threads without a core.
    pub(super) polled_elsewhere: CachePadded<AtomicU64>,
    /// The last slow polls.
    pub(super) slow_polls: SlowPollLog,
}

impl Shared {
    pub(super) fn new(
        remotes: Box<[Remote]>,
        config: Config,
        driver: Driver,
        driver_handle: DriverHandle,
    ) -> Self {
        let workers = remotes.len();
        Self {
            injector: Injector::new(FreeListShard::default()),
            idle: IdleSet::new(workers),
            remotes,
            registry: Registry::new(workers),
            batched_count: BatchedCount::new(),
            driver_slot: Mutex::new(Some(DriverSlot::new(driver))),
            driver_worker: AtomicUsize::new(NO_WORKER),
            driver_occupied: AtomicBool::new(false),
            standby: Standby::new(),
            has_monitor: AtomicBool::new(false),
            monitor_backed_off: CachePadded::new(AtomicBool::new(false)),
            #[cfg(test)]
            monitor_rounds: AtomicU64::new(0),
            driver_handle,
            started: Instant::now(),
            external_hint: ExternalWorkHint::new(),
            config,
            foreign_runtime_fn: OnceLock::new(),
            thread_set: ThreadSet::new(),
            shutdown: ShutdownState::new(workers),
            blocked_cores: AtomicUsize::new(0),
            polled_elsewhere: CachePadded::new(AtomicU64::new(0)),
            slow_polls: SlowPollLog::new(),
        }
    }

    pub(super) fn workers(&self) -> usize {
        self.remotes.len()
    }

    /// Queues a task from outside of the workers.
    pub(super) fn inject(&self, task: Runnable) {
        let queued = self.injector.push(task);
        self.notify_queued(queued);
        if self.is_stopping() {
            self.drain_if_stopped();
        }
    }

    /// Registers a new task from outside of the workers and queues it; returns it as an error if
    /// the shutdown has begun.
    ///
    /// The shutdown first closes the registrar, under the lock of the queue. So the last worker
    /// finds each task that was registered before, in the registry and in the queue.
    #[inline]
    pub(super) fn register_and_inject(&self, task: Runnable) -> Result<(), Runnable> {
        let admit = |registrar: &mut FreeListShard, task: &Runnable| {
            self.registry.insert_at(registrar, task).is_ok()
        };
        let queued = self.injector.push_if(task, admit)?;
        self.notify_queued(queued);
        Ok(())
    }

    /// Notifies a worker for the last of `queued` tasks in the global queue, which the caller has
    /// queued.
    #[inline]
    fn notify_queued(&self, queued: usize) {
        if self.idle.should_wake() {
            self.wake_one();
        }
        // The hint is set in any case, because a woken worker may have to wait for a processor.
        self.external_hint.set(|| queued);
    }

    /// Notifies a worker for the task that was just queued.
    #[inline]
    pub(super) fn notify(&self) {
        if let Some(worker) = self.idle.notify(self.wake_last()) {
            self.wake(worker);
        }
    }

    /// Does the same as [`notify`](Self::notify), for a caller that has made an atomic exchange
    /// since it queued the task, or queued it by one.
    #[inline]
    pub(super) fn notify_after_exchange(&self) {
        if let Some(worker) = self.idle.notify_after_exchange(self.wake_last()) {
            self.wake(worker);
        }
    }

    /// Wakes a worker to search, unless one searches already.
    pub(super) fn wake_one(&self) {
        if let Some(worker) = self.idle.claim(self.wake_last()) {
            self.wake(worker);
        }
    }

    /// Returns the worker on standby and the one in the driver, which are woken last, so that one
    /// stays in the driver.
    fn wake_last(&self) -> [usize; 2] {
        [self.standby.worker(), self.driver_worker.load(Relaxed)]
    }

    #[cold]
    fn wake(&self, worker: usize) {
        self.remotes[worker].parker.unpark(self);
    }

    /// Returns `true` if worker `thief` could take a task. LIFO slots do not count: their owners
    /// are awake, and will poll the tasks.
    pub(super) fn has_stealable(&self, thief: usize) -> bool {
        let mut others = self.remotes.iter().enumerate();
        !self.injector.is_empty()
            || others.any(|(index, other)| index != thief && other.has_stealable())
    }

    /// Returns `true` if any queue except the LIFO slots has a task.
    pub(super) fn is_anything_queued(&self) -> bool {
        !self.injector.is_empty() || self.remotes.iter().any(Remote::has_stealable)
    }

    /// Returns `true` if a worker is in the driver.
    pub(super) fn is_driver_occupied(&self) -> bool {
        self.driver_occupied.load(Relaxed)
    }

    /// Returns `true` if a worker is in the driver, or will be soon if the caller polls for longer.
    pub(super) fn will_driver_be_occupied(&self, now: Instant) -> bool {
        self.is_driver_occupied() || self.standby.start(now)
    }

    /// Sleeps, in the driver if its slot is free. Returns `true` if another worker is stalled, or
    /// has tasks under a paused clock. The worker has stopped to poll at the time `now`.
    pub(super) fn sleep(&self, worker: usize, now: Instant) -> bool {
        let parker = &self.remotes[worker].parker;
        let mut locked = self.driver_slot.try_lock();
        let Some(Some(driver_slot)) = locked.as_deref_mut() else {
            drop(locked);
            self.notify_if_quiescent();
            match self.standby.enter(worker) {
                Some(mut standby) => parker.park_standby(&mut standby),
                None => parker.park_thread(),
            }
            return false;
        };
        self.driver_worker.store(worker, Relaxed);
        self.standby.stop(now);
        if self.driver_handle.is_paused() {
            // The monitor does not work under a paused clock, so tasks that were left to their
            // owner are taken now.
            if self.has_stealable(worker) {
                return true;
            }
            if driver_slot.auto_advance(|| self.is_quiescent()) {
                return false;
            }
        }
        self.driver_occupied.store(true, Relaxed);
        let monitors = self.monitor_stalls(driver_slot);
        parker.park_driver(driver_slot);
        // ORDERING: Relaxed: a worker that stops searching after us reads it after our own step.
        self.driver_occupied.store(false, Relaxed);
        let found = monitors
            && driver_slot.is_period_over(self.driver_handle.now())
            && self.is_any_stalled();
        if found {
            driver_slot.reset_backoff();
        }
        found
    }

    /// Calls the wakers of everything that is due in the driver, if no worker is in it. Wakes a
    /// worker if one could wait there.
    pub(super) fn turn_driver(&self) {
        let Some(mut locked) = self.driver_slot.try_lock() else {
            return;
        };
        let Some(driver_slot) = locked.as_mut() else {
            return;
        };
        driver_slot.turn();
        drop(locked);
        // ORDERING: SeqCst, pairs with the fence in `IdleSet::announce`: either the sleeper finds
        // the driver slot free, or we see that it sleeps.
        fence(SeqCst);
        if self.idle.sleepers() > 0 {
            self.wake_one();
        }
    }

    /// Counts a worker whose thread is about to block. Returns `false` if the threads of all others
    /// block, or have retired: then this core must move to another thread.
    pub(super) fn try_block_core(&self) -> bool {
        // ORDERING: SeqCst: of several threads that block at once, one is the last.
        let may_block = self.blocked_cores.fetch_add(1, SeqCst) + 1 < self.shutdown.active();
        if !may_block {
            self.blocked_cores.fetch_sub(1, SeqCst);
        }
        may_block
    }

    /// Returns `true` if no core may stay with a sleeping thread. The last worker to retire cancels
    /// all tasks, and under a paused clock all workers must be quiescent for time to pass.
    pub(super) fn needs_all_cores(&self) -> bool {
        self.is_stopping() || self.driver_handle.is_paused()
    }

    /// Uncounts a worker whose thread has returned.
    pub(super) fn unblock_core(&self) {
        let before = self.blocked_cores.fetch_sub(1, SeqCst);
        debug_assert!(before > 0, "no core is blocked");
    }

    pub(super) fn stats(&self) -> Stats {
        let workers: Vec<_> = self.remotes.iter().map(Remote::stats).collect();
        let ended: u64 = self
            .remotes
            .iter()
            .map(|remote| remote.counters.ended.get())
            .sum();
        let by_workers: u64 = workers.iter().map(|worker| worker.spawned).sum();
        let (entered, left) = self.registry.counts();
        let entered = entered
            + self
                .injector
                .with_registrar(|registrar| registrar.counts().0);
        let (spawned, ended) = (entered + by_workers, left + ended);
        Stats {
            spawned,
            alive: spawned.saturating_sub(ended) as usize,
            polled_elsewhere: self.polled_elsewhere.load(Relaxed),
            orphans: self.config.orphans.count(),
            queued: self.injector.len(),
            sleeping: self.idle.sleepers(),
            searching: self.idle.searchers(),
            workers,
        }
    }
}

impl DriverInterrupt for Shared {
    fn interrupt_driver(&self) {
        self.driver_handle.unpark();
    }

    fn wake_standby(&self) {
        self.standby.wake();
    }
}

impl Remote {
    fn stats(&self) -> WorkerStats {
        let counters = &self.counters;
        WorkerStats {
            spawned: counters.spawned.get(),
            polled: (counters.polled.get() + counters.inlined.get())
                .saturating_sub(counters.stale.get()),
            stolen: counters.stolen.get(),
            parked: counters.parked.get(),
            lifo_hits: counters.lifo_hits.get(),
            batch_fetches: counters.batch_fetches.get(),
            overflows: counters.overflows.get(),
            busy: std::time::Duration::from_nanos(counters.busy_nanos.get()),
            queued: self.ring.len() + self.buffer.len() + usize::from(self.lifo.has_stealable()),
            poll_times: counters.poll_times.read(),
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("injector", &self.injector)
            .field("idle", &self.idle)
            .field("remotes", &self.remotes)
            .field("registry", &self.registry)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
