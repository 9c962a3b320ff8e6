//! A scheduler of one worker, which runs on the thread that calls `block_on`.
//!
//! # The turns of the future
//!
//! 1. [`LocalWorker::block_on`] polls its future itself. The future is no task, because it is
//!    neither owned nor `Send`.
//! 2. The waker of the future sets a flag, and unparks the worker. The flag is checked between two
//!    rounds of at most [`ROUND`] tasks, and when there is no task left: before the worker parks,
//!    and after each sleep. A future that wakes itself again and again delays neither the tasks nor
//!    the driver: after [`ROUND`] of its polls the driver is checked.
//! 3. The worker announces its sleep, and then checks the flag. The waker sets the flag, and then
//!    unparks. A parker remembers an unpark, so no wake is lost.
//! 4. A request of a dump is a second flag, which the thread finds in the same way. It inspects the
//!    future then, and does not poll it.
//! 5. Calls may be short: a program with its own loop calls `block_on` once a frame. So the number
//!    of polls since the last check of the driver persists between calls, and each call begins with
//!    such a check if the last one was long ago. A call that ends with a poll of its future leaves
//!    a round of tasks due, which the next call runs first.
//!
//! # The order of the tasks
//!
//! Tasks run in the order in which they were queued. With a seed, each task is drawn from the
//! oldest [`CHOICES`] in the ring, and the future has its turn after a random number of tasks. The
//! order depends on nothing else, neither on the clock nor on addresses. So the seed determines the
//! run of a program without external input.
//!
//! For a paused clock, a wake of the future counts as busy, as for any thread that blocks.

use std::cell::Cell;
use std::pin::pin;
use std::task::{Context, Poll, Wake, Waker};

use crate::driver::{Driver, DriverHandle};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicU8, Ordering};
use crate::task::{self, JoinHandle, Metadata};

use super::blocking_future::BlockingFuture;
use super::local_scheduler_guard::LocalSchedulerGuard;
use crate::scheduler::batched_arc::BatchedArc;
use crate::scheduler::config::{Config, TaskOrder};
use crate::scheduler::observe::TaskSpan;
use crate::scheduler::scheduler_handle::SchedulerHandle;
use crate::scheduler::shared::Shared;
use crate::scheduler::threads::build;
use crate::scheduler::worker::Core;
use crate::scheduler::worker::Worker;
use crate::scheduler::worker::enter_worker;

/// The most tasks of a round.
const ROUND: u32 = 64;
/// The number of oldest tasks from which the next one is drawn.
const CHOICES: u32 = 32;
/// The number of polls between two checks of the global queue. It does not depend on the clock, so
/// the order of tasks does not either.
const QUEUE_INTERVAL: u32 = 61;

/// The worker of a local scheduler. It stays on the thread that created it, and cancels all tasks
/// when it is dropped.
#[derive(Debug)]
pub(crate) struct LocalWorker {
    worker: Worker,
    handle: SchedulerHandle,
    block_on_waker: Arc<BlockOnWaker>,
    /// The scheduler has a seed, which determines the order of tasks.
    is_shuffled: bool,
    /// Polls of the future since the last check of the driver.
    root_polls: Cell<u32>,
    /// No round of tasks has run since the last poll of the future.
    is_round_due: Cell<bool>,
    /// Dropped last, after the tasks.
    _pinned: LocalSchedulerGuard,
}

/// The waker of the future of `block_on`.
#[derive(Debug)]
struct BlockOnWaker {
    flags: AtomicU8,
    handle: SchedulerHandle,
}

/// The waker was called.
const WOKEN: u8 = 1;
/// A dump has made a request.
const INSPECT: u8 = 2;

/// The waker by which a dump makes the thread answer its request.
struct InspectionWaker(Arc<BlockOnWaker>);

impl BlockOnWaker {
    fn wake_root(&self) {
        // ORDERING: AcqRel: publishes what the waker did to the swap in `take`.
        if self.flags.fetch_or(WOKEN, Ordering::AcqRel) & WOKEN == 0 {
            self.handle.driver().busy_count().begin();
            self.handle.unpark_first();
        }
    }

    /// Returns `true` if the loop has to leave its tasks.
    fn is_called(&self) -> bool {
        // ORDERING: Acquire, pairs with `wake_root`.
        self.flags.load(Ordering::Acquire) != 0
    }

    /// Removes the flags, and returns them.
    fn take(&self) -> u8 {
        // ORDERING: Acquire, pairs with `wake_root`.
        let flags = self.flags.swap(0, Ordering::Acquire);
        if flags & WOKEN != 0 {
            self.handle.driver().end_busy();
        }
        flags
    }
}

impl Wake for InspectionWaker {
    fn wake(self: Arc<Self>) {
        // ORDERING: Release pairs with `take`. The thread is not busy for a request.
        self.0.flags.fetch_or(INSPECT, Ordering::Release);
        self.0.handle.unpark_first();
    }
}

impl Wake for BlockOnWaker {
    fn wake(self: Arc<Self>) {
        self.wake_root();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.wake_root();
    }
}

impl LocalWorker {
    /// Creates a scheduler with one worker, and returns that worker.
    pub(crate) fn new(mut config: Config, driver: Driver, driver_handle: DriverHandle) -> Self {
        config.workers = 1;
        config.order = TaskOrder::Fifo;
        let is_shuffled = config.seed.is_some();
        config.queue_interval.get_or_insert(QUEUE_INTERVAL);
        let (mut workers, handle) = build(config, driver, driver_handle);
        let worker = workers.pop().expect("there is one worker");
        let block_on_waker = Arc::new(BlockOnWaker {
            flags: AtomicU8::new(0),
            handle: handle.clone(),
        });
        Self {
            worker,
            _pinned: LocalSchedulerGuard::new(handle.runtime_id()),
            handle,
            block_on_waker,
            is_shuffled,
            root_polls: Cell::new(0),
            is_round_due: Cell::new(false),
        }
    }

    pub(crate) fn handle(&self) -> &SchedulerHandle {
        &self.handle
    }

    /// Polls `future` on this thread until it is ready, and runs the tasks meanwhile.
    pub(crate) fn block_on<F: BlockingFuture>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        let waker = Waker::from(Arc::clone(&self.block_on_waker));
        let mut cx = Context::from_waker(&waker);
        let _entered = enter_worker(&self.worker);
        self.worker.bind();
        let _awake = BlockOnTiming::begin(self);
        self.block_on_waker.wake_root();
        if self.is_round_due.get() {
            self.run_round();
        }
        loop {
            let flags = self.block_on_waker.take();
            if flags & INSPECT != 0 {
                future.as_mut().inspect();
            }
            if flags & WOKEN != 0 {
                self.root_polls.update(|root_polls| root_polls + 1);
                self.is_round_due.set(true);
                let polled = task::with_full_budget(|| future.as_mut().poll(&mut cx));
                if let Poll::Ready(output) = polled {
                    return output;
                }
                future.as_mut().set_polled(task::clock());
            }
            if self.root_polls.get() >= ROUND {
                self.check_driver();
            }
            self.run_round();
        }
    }

    /// Returns a waker that makes the thread in [`block_on`](Self::block_on) answer the requests of
    /// dumps.
    pub(crate) fn inspection_waker(&self) -> Waker {
        let waker = InspectionWaker(Arc::clone(&self.block_on_waker));
        Waker::from(Arc::new(waker))
    }

    /// Checks the driver. Under a paused clock only the number of polls decides when, because the
    /// clock of the system must not change the order of tasks.
    fn check_driver(&self) {
        self.root_polls.set(0);
        if self.handle.driver().is_paused() {
            self.worker.shared().turn_driver();
        } else {
            self.worker.tick();
        }
    }

    /// Runs tasks until the round is over, or until there is none and the future was woken.
    fn run_round(&self) {
        self.is_round_due.set(false);
        for _ in 0..self.round_length() {
            if self.is_shuffled {
                self.worker
                    .with_core(|core| core.rotate_by_seed(self.worker.shared()));
            }
            let Some(task) = self.worker.next(|| self.block_on_waker.is_called()) else {
                return;
            };
            self.worker.poll(task);
        }
    }

    fn round_length(&self) -> u32 {
        let drawn = || self.worker.with_core(|core| core.rng.below(ROUND) + 1);
        self.is_shuffled.then(drawn).flatten().unwrap_or(ROUND)
    }

    /// Spawns a task whose future stays on this thread.
    pub(crate) fn spawn<F, M>(&self, future: F, metadata: M) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        M: Metadata<F>,
    {
        self.handle.spawn_here(future, metadata)
    }
}

/// A guard for the time during which the thread is in [`LocalWorker::block_on`].
struct BlockOnTiming<'a>(&'a LocalWorker);

impl<'a> BlockOnTiming<'a> {
    /// Starts the timing of polls, and checks the driver if the last check was long ago.
    fn begin(local: &'a LocalWorker) -> Self {
        if local.handle.driver().is_paused() {
            local.worker.begin_timing();
        } else {
            local.worker.tick();
        }
        Self(local)
    }
}

impl Drop for BlockOnTiming<'_> {
    fn drop(&mut self) {
        self.0.worker.end_timing();
    }
}

impl SchedulerHandle {
    /// Spawns a task whose future stays on this thread. Returns the future if this thread does not
    /// run the worker of this local scheduler.
    pub(crate) fn spawn_local<F, M>(
        &self,
        future: F,
        metadata: M,
    ) -> Result<JoinHandle<F::Output>, F>
    where
        F: Future + 'static,
        M: Metadata<F>,
    {
        if self.is_local() && self.is_on_this_thread() {
            Ok(self.spawn_here(future, metadata))
        } else {
            Err(future)
        }
    }

    fn spawn_here<F, M>(&self, future: F, metadata: M) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        M: Metadata<F>,
    {
        let span = TaskSpan::of(&future, &metadata, "local");
        let scheduler = BatchedArc::new(&self.0);
        let (task, handle) = if span.is_enabled() {
            let (future, metadata) = span.instrument(future, metadata);
            task::new_local_task(future, scheduler, metadata)
        } else {
            task::new_local_task(future, scheduler, metadata)
        };
        self.register_task(task, &span);
        handle
    }
}

impl Core {
    /// Moves a random number of the oldest tasks to the back of the ring, so that a random one is
    /// next.
    fn rotate_by_seed(&mut self, shared: &Shared) {
        self.drain_external(shared);
        let choices = CHOICES.min(self.ring.len() as u32);
        if choices < 2 {
            return;
        }
        for _ in 0..self.rng.below(choices) {
            if let Some(task) = self.ring.pop() {
                self.push_back(shared, task);
            }
        }
    }

    /// Moves tasks into the ring that were queued from other threads.
    fn drain_external(&mut self, shared: &Shared) {
        loop {
            while let Some(task) = self.buffer.pop() {
                self.push_back(shared, task);
            }
            if self.ring.len() >= CHOICES as usize {
                return;
            }
            let Some(task) = self.fetch(shared) else {
                return;
            };
            self.push_back(shared, task);
        }
    }
}
