//! What all workers of a scheduler share.

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
use super::idle::DriverSlot;
use super::idle::IdleSet;
use super::idle::Standby;
use super::idle::{DriverInterrupt, Parker};
use super::observe::{Counters, Stats, WorkerStats};
use super::queue::ExternalWorkHint;
use super::queue::{BufferStealer, Injector, IntoRawPtr, LifoStealer, RingStealer};
use super::shutdown::ShutdownState;
use super::shutdown::ThreadSet;

/// Calls what polls a task, on a thread that is none of the scheduler's.
pub(super) type ForeignPollFn = Box<dyn Fn(Arc<Shared>, &mut dyn FnMut()) + Send + Sync>;

/// Nobody, as the index of a worker.
const NO_WORKER: usize = usize::MAX;

// SAFETY: both are the task floor's own, with this contract.
unsafe impl IntoRawPtr for Runnable {
    #[inline]
    fn into_raw(self) -> std::ptr::NonNull<()> {
        Self::into_raw(self)
    }

    #[inline]
    unsafe fn from_raw(raw: std::ptr::NonNull<()>) -> Self {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { Self::from_raw(raw) }
    }
}

/// What the others see of a worker.
#[derive(Debug)]
pub(super) struct Remote {
    pub(super) ring: RingStealer<Runnable>,
    pub(super) buffer: BufferStealer<Runnable>,
    pub(super) lifo: LifoStealer<Runnable>,
    pub(super) parker: Parker,
    pub(super) counters: CachePadded<Counters>,
    /// The poll that the monitor saw it in, by its number.
    pub(super) monitored_poll: AtomicU64,
}

impl Remote {
    /// Whether there is something that anybody may take at any time.
    pub(super) fn has_stealable(&self) -> bool {
        self.ring.has_stealable() || self.buffer.has_stealable()
    }

    /// Whether any of its queues has a task.
    pub(super) fn holds_tasks(&self) -> bool {
        self.lifo.has_stealable() || self.has_stealable()
    }

    /// Whether it has a task and is in the poll that the monitor saw it in.
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
    /// Tasks that have this in their memory.
    pub(super) batched_count: BatchedCount,
    /// One worker at a time waits here.
    pub(super) driver_slot: Mutex<Option<DriverSlot>>,
    /// The worker that sits in the driver or did last; a hint for whom to wake last.
    driver_worker: AtomicUsize,
    /// Somebody does at this moment.
    driver_occupied: AtomicBool,
    /// Where the one sleeps who takes the driver slot if it stays empty.
    pub(super) standby: Standby,
    /// The one that sits in the driver monitors the others.
    pub(super) has_monitor: AtomicBool,
    /// It monitor_rounds but rarely, and whoever fills a slot rouses it.
    pub(super) monitor_backed_off: CachePadded<AtomicBool>,
    /// Looks at the others that it took.
    #[cfg(test)]
    pub(super) monitor_rounds: AtomicU64,
    pub(super) driver_handle: DriverHandle,
    pub(super) started: Instant,
    /// Somebody has queued a task from outside.
    pub(super) external_hint: ExternalWorkHint,
    pub(super) config: Config,
    /// Where other threads may poll tasks too, what makes them fit for it.
    pub(super) foreign_poll_fn: OnceLock<ForeignPollFn>,
    pub(super) thread_set: ThreadSet,
    pub(super) shutdown: ShutdownState,
    /// Workers whose threads block in joins.
    blocked_cores: AtomicUsize,
    /// Polls inside of joins, by threads that have no core.
    pub(super) polled_elsewhere: CachePadded<AtomicU64>,
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
            foreign_poll_fn: OnceLock::new(),
            thread_set: ThreadSet::new(),
            shutdown: ShutdownState::new(workers),
            blocked_cores: AtomicUsize::new(0),
            polled_elsewhere: CachePadded::new(AtomicU64::new(0)),
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

    /// Registers a new task from outside of the workers and queues it, or gives it back.
    ///
    /// Whoever is let in was so before the end began, which closes the desk first. So the last
    /// worker finds the task, registered and in the queue.
    #[inline]
    pub(super) fn register_and_inject(&self, task: Runnable) -> Result<(), Runnable> {
        let admit =
            |desk: &mut FreeListShard, task: &Runnable| self.registry.insert_at(desk, task).is_ok();
        let queued = self.injector.push_if(task, admit)?;
        self.notify_queued(queued);
        Ok(())
    }

    /// Sees to it that somebody monitor_rounds for the last of so many tasks in the global queue,
    /// which the caller has queued.
    #[inline]
    fn notify_queued(&self, queued: usize) {
        if self.idle.should_wake() {
            self.wake_one();
        }
        // Also where somebody was woken, who needs a processor first.
        self.external_hint.begin(|| queued);
    }

    /// Sees to it that somebody monitor_rounds for the task that was just queued.
    #[inline]
    pub(super) fn notify(&self) {
        if let Some(worker) = self.idle.notify(self.wake_last()) {
            self.wake(worker);
        }
    }

    /// Like [`notify`](Self::notify), for a caller that has made an atomic exchange since it queued
    /// the task, or queued it by one.
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

    /// The worker on standby and the one in the driver are woken last, so that somebody stays
    /// there.
    fn wake_last(&self) -> [usize; 2] {
        [self.standby.worker(), self.driver_worker.load(Relaxed)]
    }

    #[cold]
    fn wake(&self, worker: usize) {
        self.remotes[worker].parker.unpark(self);
    }

    /// Whether there is something that worker `thief` could take. The LIFO slots do not count:
    /// their owners are awake, and will come to them.
    pub(super) fn has_stealable(&self, thief: usize) -> bool {
        let mut others = self.remotes.iter().enumerate();
        !self.injector.is_empty() || others.any(|(index, it)| index != thief && it.has_stealable())
    }

    /// Whether there is anything that anybody could take, beside what the LIFO slots hold.
    pub(super) fn is_anything_queued(&self) -> bool {
        !self.injector.is_empty() || self.remotes.iter().any(Remote::has_stealable)
    }

    /// Whether somebody sleeps in the driver.
    pub(super) fn is_driver_occupied(&self) -> bool {
        self.driver_occupied.load(Relaxed)
    }

    /// Whether somebody sleeps in the driver, or will in a moment if the caller polls for longer.
    pub(super) fn will_driver_be_occupied(&self, now: Instant, is_busy: bool) -> bool {
        self.is_driver_occupied() || self.standby.start(now, is_busy)
    }

    /// Sleeps, in the driver if its slot is free. Returns whether there is a stalled worker to be
    /// relieved. A busy worker will be back in a moment.
    pub(super) fn sleep(&self, worker: usize, is_busy: bool) -> bool {
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
        self.standby.stop(is_busy);
        if self.driver_handle.is_paused() {
            // Nobody monitors by a clock that stands: whatever was left to its owner is taken now.
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
        // ORDERING: Relaxed: whoever stops searching after us reads it after our own step.
        self.driver_occupied.store(false, Relaxed);
        let found = monitors
            && driver_slot.is_period_over(self.driver_handle.now())
            && self.is_any_stalled();
        if found {
            driver_slot.reset_backoff();
        }
        found
    }

    /// Fires what is due in the driver, if nobody sits in it; and if somebody could, sees to it
    /// that somebody will.
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

    /// A worker's thread is about to block in a join. False if all others have done so, or are
    /// gone: then this worker has to go on elsewhere.
    pub(super) fn try_block_core(&self) -> bool {
        // ORDERING: SeqCst: of those who leave at once, one is the last.
        let leaves = self.blocked_cores.fetch_add(1, SeqCst) + 1 < self.shutdown.active();
        if !leaves {
            self.blocked_cores.fetch_sub(1, SeqCst);
        }
        leaves
    }

    /// Whether no core may be left while its thread sleeps: the last to retire stops all tasks,
    /// and under a paused clock all workers must be seen to rest for time to pass.
    pub(super) fn needs_all_cores(&self) -> bool {
        self.is_stopping() || self.driver_handle.is_paused()
    }

    /// The worker's thread is back.
    pub(super) fn unblock_core(&self) {
        let before = self.blocked_cores.fetch_sub(1, SeqCst);
        debug_assert!(before > 0, "one came back who had not left");
    }

    pub(super) fn stats(&self) -> Stats {
        let workers: Vec<_> = self.remotes.iter().map(Remote::stats).collect();
        let ended: u64 = self.remotes.iter().map(|it| it.counters.ended.get()).sum();
        let by_workers: u64 = workers.iter().map(|worker| worker.spawned).sum();
        let (entered, left) = self.registry.counts();
        let entered = entered + self.injector.with_registrar(|desk| desk.counts().0);
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
