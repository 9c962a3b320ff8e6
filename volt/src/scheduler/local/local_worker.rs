//! A scheduler of one worker, which runs on the thread of whoever blocks.
//!
//! # How the future that is blocked on takes its root_polls
//!
//! 1. It is the *guest*: polled by [`LocalWorker::block_on`] and no task, as it is neither owned
//!    nor sent.
//! 2. Its waker sets a flag, and unparks the worker. The flag is looked at between two rounds of at
//!    most [`ROUND`] tasks, and whenever there is no task left: before the worker lies down, and
//!    after each time it lifo_after_wakeup. A guest that calls itself again and again keeps neither
//!    the tasks waiting nor the driver: each so many of its root_polls the driver is looked into.
//! 3. The worker announces that it lies down, and then monitor_rounds at the flag; the guest's
//!    waker sets the flag, and then unparks. A parker remembers an unpark, so no wake is lost.
//! 4. Calls may be short: a program with a loop of its own calls `block_on` once a frame. So the
//!    number of root_polls since the last look into the driver is kept from call to call, and each
//!    call begins with such a look if the last one was long ago. A call that ends with a poll of
//!    its guest leaves a round of tasks due, which the next call runs first.
//!
//! # The order of the tasks
//!
//! They run in the order in which they were queued. With a seed, each is drawn from among the
//! oldest [`CHOICES`] in the ring, and the guest has its turn after a number of tasks that is drawn
//! too. Nothing else decides, neither clock nor addresses: so of a program that gets nothing from
//! outside, the seed is the whole story.
//!
//! The guest's wakers count as at work for a paused clock, as those of any thread that blocks.

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Wake, Waker};

use crate::driver::{Driver, DriverHandle};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicBool, Ordering};
use crate::task::{self, JoinHandle, Metadata};

use super::local_scheduler_guard::LocalSchedulerGuard;
use crate::scheduler::batched_arc::BatchedArc;
use crate::scheduler::config::Config;
use crate::scheduler::observe::TaskSpan;
use crate::scheduler::scheduler_handle::SchedulerHandle;
use crate::scheduler::shared::Shared;
use crate::scheduler::threads::build;
use crate::scheduler::worker::Core;
use crate::scheduler::worker::Worker;
use crate::scheduler::worker::enter_worker;

/// The most tasks that run before the guest has its turn.
const ROUND: u32 = 64;
/// The number of tasks from which the next one is drawn.
const CHOICES: u32 = 32;
/// The polls between two monitor_rounds at the global queue: never by the clock, so that the order
/// of tasks does not depend on it.
const QUEUE_INTERVAL: u32 = 61;

/// The worker of such a scheduler. It stays on the thread where it was made, and ends all tasks
/// when it is dropped.
#[derive(Debug)]
pub(crate) struct LocalWorker {
    worker: Worker,
    handle: SchedulerHandle,
    block_on_waker: Arc<BlockOnWaker>,
    /// The order of the tasks is drawn.
    is_shuffled: bool,
    /// Polls of guests since the last look into the driver.
    root_polls: Cell<u32>,
    /// Tasks have had no round since the last poll of a block_on_waker.
    is_round_due: Cell<bool>,
    /// Until the tasks are gone.
    _pinned: LocalSchedulerGuard,
}

/// Whether the guest is to be polled.
#[derive(Debug)]
struct BlockOnWaker {
    is_woken: AtomicBool,
    handle: SchedulerHandle,
}

impl BlockOnWaker {
    fn wake_root(&self) {
        // ORDERING: AcqRel: publishes what the waker did to the swap in `take`.
        if !self.is_woken.swap(true, Ordering::AcqRel) {
            self.handle.driver().busy_count().begin();
            self.handle.unpark_first();
        }
    }

    fn is_woken(&self) -> bool {
        // ORDERING: Acquire, pairs with `call`.
        self.is_woken.load(Ordering::Acquire)
    }

    fn take(&self) -> bool {
        // ORDERING: Acquire, pairs with `call`.
        let called = self.is_woken.swap(false, Ordering::Acquire);
        if called {
            self.handle.driver().end_busy();
        }
        called
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
    /// Makes a scheduler whose only worker is the result.
    pub(crate) fn new(mut config: Config, driver: Driver, driver_handle: DriverHandle) -> Self {
        config.workers = 1;
        config.in_order = true;
        let is_shuffled = config.seed.is_some();
        config.queue_interval.get_or_insert(QUEUE_INTERVAL);
        let (mut workers, handle) = build(config, driver, driver_handle);
        let worker = workers.pop().expect("there is one worker");
        let block_on_waker = Arc::new(BlockOnWaker {
            is_woken: AtomicBool::new(false),
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
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
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
            if self.block_on_waker.take() {
                self.root_polls.update(|root_polls| root_polls + 1);
                self.is_round_due.set(true);
                let polled = task::with_full_budget(|| future.as_mut().poll(&mut cx));
                if let Poll::Ready(output) = polled {
                    return output;
                }
            }
            if self.root_polls.get() >= ROUND {
                self.check_driver();
            }
            self.run_round();
        }
    }

    /// Looks into the driver. With a paused clock, the number of root_polls alone decides when that
    /// is: the system's clock must not change the order of tasks.
    fn check_driver(&self) {
        self.root_polls.set(0);
        if self.handle.driver().is_paused() {
            self.worker.shared().turn_driver();
        } else {
            self.worker.tick();
        }
    }

    /// Runs tasks until there is none and the guest is called, or the round is over.
    fn run_round(&self) {
        self.is_round_due.set(false);
        for _ in 0..self.round_length() {
            if self.is_shuffled {
                self.worker
                    .with_core(|core| core.rotate_by_seed(self.worker.shared()));
            }
            let Some(task) = self.worker.next(|| self.block_on_waker.is_woken()) else {
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

/// The time during which the worker's thread is in [`LocalWorker::block_on`].
struct BlockOnTiming<'a>(&'a LocalWorker);

impl<'a> BlockOnTiming<'a> {
    /// Begins to count the time, and monitor_rounds into the driver if the last look was long ago.
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
    /// Spawns a task whose future stays on this thread, if that runs such a scheduler's worker
    /// and it is this one; else gives the future back.
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
    /// Draws the next task of the ring. Those that were before it go to the back.
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

    /// Brings tasks into the ring, from where they wait because they were queued outside.
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
