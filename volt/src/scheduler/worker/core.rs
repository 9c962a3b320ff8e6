//! The core of a worker: its own ends of the queues, its role, and its counts.
//!
//! A [`Core`] has the whole state of a worker. It moves between threads as a whole, and the thread
//! that owns it runs the worker.
//!
//! # The order in which a worker looks for tasks
//!
//! 1. The global queue, if a check is due; see [`GlobalTurn`]. Without these checks, a task that
//!    wakes itself forever would starve all tasks from outside.
//! 2. The buffer, which has tasks that were fetched from the global queue.
//! 3. The LIFO slot, at most [`MAX_LIFO_STREAK`] times in a row while the ring has tasks.
//! 4. The ring.
//! 5. The global queue and the queues of other workers; see [`search`](super::search).
//!
//! A task that woke itself goes to the ring. If it is the only task, and neither a tick nor a check
//! of the global queue is due, the worker polls it again without a queue. In the ring, a worker
//! without tasks would take it, and leave its owner without a task.
//!
//! # The number of polls between two checks of the global queue
//!
//! - [`GlobalQueueInterval`] computes it from the duration of polls. It is small after an
//!   [external hint](crate::scheduler::queue::ExternalWorkHint).
//! - If the last check left tasks in the queue, the interval is at most the number of tasks in the
//!   ring plus one.
//! - A check begins a turn. The turn ends when the queue is empty, after about a millisecond, or
//!   when the ring is more than half full. With a fixed interval, a quota replaces the time limit.
//! - With shorter turns, an outside thread that awaits many tasks in a row would catch up after
//!   each turn. It would then be woken once for each task.
//! - Polls of tasks from the buffer do not count, so a flood from outside does not take the share
//!   of the worker's own tasks.

use std::time::Instant;

use crossbeam_utils::CachePadded;

use crate::loom::sync::atomic::AtomicU64;
use crate::scheduler::batched_arc::RefCache;
use crate::scheduler::config::TaskOrder;
use crate::scheduler::idle::Parker;
use crate::scheduler::observe::Counters;
use crate::scheduler::queue::{BatchBuffer, GlobalQueueInterval, LifoSlot, LocalRing};
use crate::scheduler::queue::{RING_CAPACITY, new_lifo_slot, new_ring};
use crate::scheduler::shared::{Remote, Shared};
use crate::task::{LocalFreeList, Runnable};
use crate::util::Rng;

use super::global_turn::GlobalTurn;
use super::poll_timer::{PollSample, PollTimer};

/// The most polls between two checks of the clock and the driver; slow polls reduce it.
#[doc(alias = "BUDGET_PER_TICK")]
const TICK: u32 = 128;
/// The most polls in a row from the LIFO slot while the ring has tasks.
#[doc(alias = "MAX_LIFO_POLLS_PER_TICK")]
const MAX_LIFO_STREAK: u32 = 3;
/// If the ring has more tasks than this, the worker ends its turn of the global queue.
///
/// A task that was taken and polled goes to the ring when it wakes itself. A full ring would spill
/// it back. With a thousand such tasks, two of three polls would move one through the global queue.
const RING_HIGH_WATER: usize = RING_CAPACITY / 2;

/// The role of a worker among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It polls tasks.
    Working,
    /// It looks for tasks, and the idle set counts it as a searcher.
    Searching,
    /// It searches. It was the stall monitor, and woke up because another worker is in a long poll.
    Relieving,
}

impl Role {
    /// Returns `true` if the idle set counts the worker as a searcher.
    #[inline]
    pub(crate) fn is_searching(self) -> bool {
        self != Self::Working
    }
}

/// The notification that is due for the tasks in the ring of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notify {
    /// None: no task was added, or a worker was woken for it.
    None,
    /// Before the next poll, because a task was added without a notification.
    BeforePoll,
    /// At the next tick, if tasks are left. The worker expects to have polled them all by then.
    AtTick,
}

/// The owner's side of one worker.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) index: usize,
    #[doc(alias = "lifo_slot")]
    pub(crate) lifo: LifoSlot<Runnable>,
    #[doc(alias = "run_queue")]
    pub(crate) ring: LocalRing<Runnable>,
    #[doc(alias = "global_batch_buffer")]
    pub(crate) buffer: BatchBuffer<Runnable>,
    /// The task to poll next. It is stored only from the end of one poll to the next poll.
    pub(super) repeated: Option<Runnable>,
    pub(crate) rng: Rng,
    /// Vacant entries of the registry.
    pub(crate) free_list: LocalFreeList,
    /// References to the scheduler for the next tasks.
    pub(crate) ref_cache: RefCache,
    pub(crate) order: TaskOrder,
    pub(crate) role: Role,
    pub(crate) notify: Notify,
    /// `true` if there was no stall monitor when the last search ended. The next task that waits
    /// for a poll then wakes the worker in the driver, which becomes the monitor.
    pub(crate) needs_monitor: bool,
    pub(crate) interval: GlobalQueueInterval,
    pub(crate) timer: PollTimer,
    pub(super) global_turn: GlobalTurn,
    /// Polls in a row from the LIFO slot.
    pub(super) lifo_streak: u32,
}

impl Core {
    /// Returns a core, and the side of it that other workers use.
    pub(crate) fn new(
        index: usize,
        rng: Rng,
        interval: GlobalQueueInterval,
        order: TaskOrder,
        has_samples: bool,
    ) -> (Box<Self>, Remote) {
        let (lifo, lifo_stealer) = new_lifo_slot();
        let (ring, ring_stealer) = new_ring();
        let (buffer, buffer_stealer) = BatchBuffer::new();
        let core = Box::new(Self {
            index,
            lifo,
            ring,
            buffer,
            repeated: None,
            rng,
            free_list: LocalFreeList::default(),
            ref_cache: RefCache::new(),
            order,
            role: Role::Working,
            notify: Notify::None,
            needs_monitor: false,
            global_turn: GlobalTurn::new(&interval),
            timer: PollTimer::new(interval.tick(TICK), has_samples),
            interval,
            lifo_streak: 0,
        });
        let remote = Remote {
            ring: ring_stealer,
            buffer: buffer_stealer,
            lifo: lifo_stealer,
            parker: Parker::new(),
            counters: CachePadded::new(Counters::new()),
            monitored_poll: AtomicU64::new(0),
        };
        (core, remote)
    }

    pub(crate) fn counters<'a>(&self, shared: &'a Shared) -> &'a Counters {
        &shared.remotes[self.index].counters
    }

    /// Queues a task to run next, and moves the task that it displaces to the ring.
    ///
    /// If no task is displaced, no other worker is notified, because this worker polls the new task
    /// next. A searcher notifies only once, for all tasks, when it begins to poll.
    #[inline]
    #[doc(alias = "tryScheduleLocal")]
    pub(crate) fn push_newest(&mut self, shared: &Shared, task: Runnable) {
        if self.order == TaskOrder::Fifo {
            return self.push_ring(shared, task);
        }
        match self.lifo.replace(task) {
            None => self.notify_monitor(shared),
            Some(displaced) => {
                self.push_ring(shared, displaced);
                if !self.role.is_searching() {
                    shared.notify();
                }
            }
        }
    }

    /// Notifies the stall monitor that a task waits for the end of the current poll.
    ///
    /// A searcher is in no poll, and needs no monitor.
    #[inline]
    pub(crate) fn notify_monitor(&mut self, shared: &Shared) {
        if self.role.is_searching() {
            return;
        }
        if self.needs_monitor {
            self.request_monitor(shared);
        }
        shared.wake_monitor();
    }

    /// Queues a task after the others; other workers are notified before the next poll.
    #[inline]
    pub(crate) fn push_back(&mut self, shared: &Shared, task: Runnable) {
        self.push_ring(shared, task);
        self.notify = Notify::BeforePoll;
        self.notify_monitor(shared);
    }

    #[inline]
    fn push_ring(&mut self, shared: &Shared, task: Runnable) {
        if let Err(task) = self.ring.push(task) {
            self.overflow(shared, task);
        }
    }

    /// Moves the older half of the full ring, and the new task, to the global queue.
    #[cold]
    fn overflow(&mut self, shared: &Shared, task: Runnable) {
        self.counters(shared).overflows.add(1);
        let half = self.ring.spill().into_iter().flatten();
        shared.injector.extend(half.chain([task]));
    }

    /// Returns the next task of the worker's own queues, or of the global queue if that is due.
    #[inline]
    #[doc(alias = "findWork")]
    pub(crate) fn next_local(&mut self, shared: &Shared) -> Option<Runnable> {
        if let Some(task) = self.repeated.take() {
            return Some(task);
        }
        if self.global_turn.is_due_if_urgent()
            && self.is_global_check_due(shared)
            && let Some(task) = self.check_global_queue(shared)
        {
            return Some(task);
        }
        let task = match self.buffer.pop().or_else(|| self.refill(shared)) {
            Some(task) => task,
            None => self.next_own(shared)?,
        };
        if self.notify == Notify::BeforePoll {
            self.notify_for_remaining(shared);
        }
        Some(task)
    }

    /// Returns the next task of the LIFO slot or of the ring.
    #[inline]
    fn next_own(&mut self, shared: &Shared) -> Option<Runnable> {
        self.global_turn.count_poll();
        if self.lifo_streak < MAX_LIFO_STREAK
            && let Some(task) = self.lifo.take()
        {
            self.lifo_streak += 1;
            self.counters(shared).lifo_hits.add(1);
            if self.role.is_searching() {
                self.counters(shared).lifo_after_wakeup.add(1);
            }
            return Some(task);
        }
        self.lifo_streak = 0;
        // After a long streak the slot may have the only task.
        self.ring.pop().or_else(|| self.lifo.take())
    }

    #[inline]
    pub(super) fn is_global_check_due(&self, shared: &Shared) -> bool {
        shared.external_hint.is_set() || self.global_turn.is_due(&self.interval)
    }

    /// Begins a turn of the global queue, and takes its first batch.
    #[cold]
    fn check_global_queue(&mut self, shared: &Shared) -> Option<Runnable> {
        self.global_turn.begin(&self.interval);
        let task = self.fetch(shared)?;
        self.notify_if_work_left(shared);
        Some(task)
    }

    /// Notifies a worker if the buffer or the global queue still has tasks after a fetch.
    ///
    /// A thread that queues a task later notifies for that task. So the length of the queue may be
    /// out of date, and no lock is taken.
    pub(crate) fn notify_if_work_left(&self, shared: &Shared) {
        let is_work_left = !self.buffer.is_empty() || !shared.injector.seems_empty();
        if !self.role.is_searching() && is_work_left {
            shared.notify();
        }
    }

    /// Takes the next batch of the current turn.
    #[inline]
    fn refill(&mut self, shared: &Shared) -> Option<Runnable> {
        if !self.global_turn.is_open() {
            return None;
        }
        if self.ring.len() > RING_HIGH_WATER || self.global_turn.has_expired(&self.interval) {
            self.global_turn.end();
            return None;
        }
        self.fetch(shared)
    }

    /// Takes a batch from the global queue: returns one task, and puts the others into the buffer.
    pub(crate) fn fetch(&mut self, shared: &Shared) -> Option<Runnable> {
        let batch = shared.injector.fetch(&self.buffer, shared.workers());
        shared.external_hint.record_batch(batch.taken, batch.left);
        self.global_turn.record_batch(&self.interval, batch.taken);
        if batch.left > 0 {
            self.global_turn.hasten(self.ring.len());
        }
        if batch.first.is_some() {
            self.counters(shared).batch_fetches.add(1);
        }
        batch.first
    }

    /// Notifies a worker if the ring still has tasks.
    ///
    /// The caller must have just taken a task from one of its queues by an atomic exchange.
    #[cold]
    fn notify_for_remaining(&mut self, shared: &Shared) {
        self.notify = Notify::None;
        if !self.role.is_searching() && !self.ring.is_empty() {
            shared.notify_after_exchange();
        }
    }

    /// Moves the task of the LIFO slot to the ring, where others can steal it, and notifies them.
    pub(crate) fn offer_all(&mut self, shared: &Shared) {
        if let Some(task) = self.lifo.take() {
            self.push_ring(shared, task);
        }
        if self.has_work() {
            shared.notify();
        }
    }

    /// Returns `true` if any of the worker's own queues has a task.
    pub(crate) fn has_work(&self) -> bool {
        !self.lifo.is_empty() || !self.ring.is_empty() || !self.buffer.is_empty()
    }

    /// Begins a tick, whose length follows the duration of polls.
    pub(crate) fn begin_tick(&mut self) {
        self.timer.begin_tick(self.interval.tick(TICK));
    }

    /// Records that the worker has slept until `now`, and has checked clock and driver as at a
    /// tick.
    pub(crate) fn end_sleep(&mut self, now: Instant) {
        self.timer.end_sleep(now, self.interval.tick(TICK));
    }

    /// Records that the worker has polled until `now`, and samples the duration of these polls.
    /// Returns their time in nanoseconds and their number.
    #[doc(alias = "updateAdaptiveInterval")]
    pub(crate) fn stop_timing(&mut self, shared: &Shared, now: Instant) -> Option<(u64, u32)> {
        let (nanos, polls) = self.timer.stop(now)?;
        self.interval.sample(nanos, polls);
        self.counters(shared).busy_nanos.add(nanos);
        Some((nanos, polls))
    }

    /// Does the same as [`stop_timing`](Self::stop_timing), when the worker runs out of tasks.
    pub(crate) fn end_run(&mut self, shared: &Shared, now: Instant) -> Option<(u64, u32)> {
        let run = self.stop_timing(shared, now);
        // A local runtime comes here once for each poll of the future of `block_on`.
        if self.timer.has_uncounted() {
            let sample = self.timer.take_rest();
            self.record_sample(shared, sample);
        }
        run
    }

    /// Ends a sample if it is over. Returns `false` if none is over, so the tick is.
    #[cold]
    pub(crate) fn end_sample(&mut self, shared: &Shared) -> bool {
        let is_over = self.timer.is_sample_over();
        if is_over {
            let sample = self.timer.end_sample(Instant::now());
            self.record_sample(shared, sample);
        }
        is_over
    }

    fn record_sample(&self, shared: &Shared, sample: Option<PollSample>) {
        if let Some(PollSample { nanos, polls }) = sample {
            self.counters(shared).poll_times.record(nanos, polls);
        }
    }
}
