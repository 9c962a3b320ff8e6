//! What only the owner of a worker touches: its ends of the queues, and its counts.
//!
//! A [`Core`] is all that a worker is; the thread that has it runs it. It goes from one thread
//! to another as a whole.
//!
//! # Where the next task comes from
//!
//! 1. every so many polls, the global queue, *first*: a task that wakes itself for ever must not
//!    keep the outside waiting. How many says [`GlobalQueueInterval`]: few, if somebody has queued
//!    a task outside, and if the last look left something behind, no more than there are tasks of
//!    the worker's own. Then it goes on for as long as there is something, but its own have their
//!    turn after a millisecond, and after the first batch if they fill half of the ring. Whoever
//!    awaits many tasks in a row outside would catch up after each look that ends sooner, and then
//!    be woken for every single task;
//! 2. the buffer of tasks fetched from the global queue;
//! 3. the LIFO slot, but three times in a row at most while the ring has anything;
//! 4. the ring;
//! 5. and then, as [`search`](super::search) says: the global queue, the queues of others.
//!
//! Tasks from the buffer do not count towards the next look at the global queue, so that a flood
//! from outside leaves the worker's own tasks their share.

use std::time::Instant;

use crossbeam_utils::CachePadded;

use crate::loom::sync::atomic::AtomicU64;
use crate::task::{LocalFreeList, Runnable};
use crate::util::Rng;

use crate::scheduler::batched_arc::RefCache;
use crate::scheduler::idle::BriefSleeps;
use crate::scheduler::idle::Parker;
use crate::scheduler::observe::Counters;
use crate::scheduler::queue::GlobalQueueInterval;
use crate::scheduler::queue::{BatchBuffer, LifoSlot, LocalRing, RING_CAPACITY};
use crate::scheduler::queue::{new_lifo_slot, new_ring};
use crate::scheduler::shared::{Remote, Shared};

/// The most polls between two monitor_rounds at clock and driver; slow polls make it fewer.
#[doc(alias = "BUDGET_PER_TICK")]
const TICK: u32 = 128;
/// LIFO polls in a row while other tasks wait.
#[doc(alias = "MAX_LIFO_POLLS_PER_TICK")]
const MAX_LIFO_STREAK: u32 = 3;
/// With more tasks than these in its ring, a worker has taken enough from the global queue. What it
/// took and has polled goes into the ring, and would spill it back there: a thousand tasks that
/// wake themselves would pass through the global queue at two polls of three.
const PLENTY: usize = RING_CAPACITY / 2;

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
    pub(crate) rng: Rng,
    /// Vacant places of the registry.
    pub(crate) free_list: LocalFreeList,
    /// References to the scheduler for the next tasks.
    pub(crate) ref_cache: RefCache,
    /// Whether the newest task is the last to run, and not the next.
    pub(crate) in_order: bool,
    /// Whether the idle set counts this worker as a searcher.
    pub(crate) searching: bool,
    /// Who sleeps in the driver monitors nobody, and will have to if the slot is filled.
    pub(crate) unmonitored: bool,
    /// It was the stall monitor, and got up because another worker is in a long poll.
    pub(crate) relieves: bool,
    /// Nobody was woken for what is in the ring, as it should be polled soon.
    pub(crate) help_deferred: bool,
    pub(crate) interval: GlobalQueueInterval,
    /// Tasks in a row that came from the LIFO slot.
    streak: u32,
    /// Polls of its own tasks since the last look at the global queue.
    since_global: u32,
    /// How many of them are enough when there is a hurry.
    hurried: u32,
    /// Tasks that may still be taken from the global queue before its own have their turn.
    quota: u32,
    /// Since when they have been waiting for that, about.
    quota_since: Option<Instant>,
    until_tick: u32,
    /// A task was put into the ring without telling anybody.
    unannounced: bool,
    /// When the polls since the last look at the clock began.
    since: Option<Instant>,
    timed_polls: u32,
    brief_sleeps: BriefSleeps,
}

impl Core {
    /// A core and what the others see of it.
    pub(crate) fn new(
        index: usize,
        rng: Rng,
        interval: GlobalQueueInterval,
    ) -> (Box<Self>, Remote) {
        let (lifo, lifo_thief) = new_lifo_slot();
        let (ring, ring_thief) = new_ring();
        let (buffer, buffer_thief) = BatchBuffer::new();
        let core = Box::new(Self {
            index,
            lifo,
            ring,
            buffer,
            rng,
            free_list: LocalFreeList::default(),
            ref_cache: RefCache::new(),
            in_order: false,
            searching: false,
            unmonitored: false,
            relieves: false,
            help_deferred: false,
            streak: 0,
            since_global: 0,
            hurried: interval.urgent_polls(),
            quota: 0,
            quota_since: None,
            until_tick: interval.tick(TICK),
            interval,
            unannounced: false,
            since: None,
            timed_polls: 0,
            brief_sleeps: BriefSleeps::default(),
        });
        let remote = Remote {
            ring: ring_thief,
            buffer: buffer_thief,
            lifo: lifo_thief,
            parker: Parker::new(),
            counters: CachePadded::new(Counters::new()),
            monitored_poll: AtomicU64::new(0),
        };
        (core, remote)
    }

    pub(crate) fn counters<'a>(&self, shared: &'a Shared) -> &'a Counters {
        &shared.remotes[self.index].counters
    }

    /// Queues a task to run next. What it displaces goes to the ring, where others may take it; a
    /// task that displaces nothing wakes nobody, as its owner will come to it at once. A searcher
    /// wakes nobody either: it does so when it begins to poll, for all tasks together.
    #[inline]
    #[doc(alias = "tryScheduleLocal")]
    pub(crate) fn push_newest(&mut self, shared: &Shared, task: Runnable) {
        if self.in_order {
            return self.push_ring(shared, task);
        }
        match self.lifo.replace(task) {
            None => self.notify_monitor(shared),
            Some(displaced) => {
                self.push_ring(shared, displaced);
                if !self.searching {
                    shared.notify();
                }
            }
        }
    }

    /// A task waits behind the running one, which may take long, if there is one: who has just been
    /// woken polls nothing, and comes to the task at once.
    #[inline]
    pub(crate) fn notify_monitor(&mut self, shared: &Shared) {
        if self.searching {
            return;
        }
        if self.unmonitored {
            self.request_monitor(shared);
        }
        shared.wake_monitor();
    }

    /// Queues a task behind the others. Whoever might help hears of it before the next poll.
    #[inline]
    pub(crate) fn push_back(&mut self, shared: &Shared, task: Runnable) {
        self.push_ring(shared, task);
        self.unannounced = true;
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

    /// The next task of the worker's own, or of the global queue if that is due.
    #[inline]
    #[doc(alias = "findWork")]
    pub(crate) fn next_local(&mut self, shared: &Shared) -> Option<Runnable> {
        if self.since_global >= self.hurried
            && self.is_look_due(shared)
            && let Some(task) = self.look_outside(shared)
        {
            return Some(task);
        }
        let task = match self.buffer.pop().or_else(|| self.refill(shared)) {
            Some(task) => task,
            None => self.next_own(shared)?,
        };
        if self.unannounced {
            self.announce_rest(shared);
        }
        Some(task)
    }

    #[inline]
    pub(crate) fn next_own(&mut self, shared: &Shared) -> Option<Runnable> {
        self.since_global += 1;
        if self.streak < MAX_LIFO_STREAK
            && let Some(task) = self.lifo.take()
        {
            self.streak += 1;
            self.counters(shared).lifo_hits.add(1);
            if self.searching {
                self.counters(shared).lifo_after_wakeup.add(1);
            }
            return Some(task);
        }
        self.streak = 0;
        // Too many in a row, but nothing else to do.
        self.ring.pop().or_else(|| self.lifo.take())
    }

    #[inline]
    fn is_look_due(&self, shared: &Shared) -> bool {
        shared.external_hint.is_on() || self.since_global >= self.interval.polls()
    }

    /// The look at the global queue that is due every so many polls; it takes the first batch.
    #[cold]
    fn look_outside(&mut self, shared: &Shared) -> Option<Runnable> {
        self.quota = self.interval.global_quota();
        self.quota_since = None;
        let task = self.fetch(shared)?;
        self.share_what_is_left(shared);
        Some(task)
    }

    /// After a fetch: sees to it that somebody monitor_rounds for what was not taken, or not polled
    /// yet. Whoever queues a task from now on does so for that task, so the length of the queue
    /// need not be sure, and no lock is taken.
    pub(crate) fn share_what_is_left(&self, shared: &Shared) {
        if !self.searching && (!self.buffer.is_empty() || !shared.injector.seems_empty()) {
            shared.notify();
        }
    }

    /// The next batch of what a look at the global queue entitles to.
    #[inline]
    fn refill(&mut self, shared: &Shared) -> Option<Runnable> {
        if self.quota == 0 {
            return None;
        }
        if self.ring.len() > PLENTY || self.is_turn_over() {
            self.quota = 0;
            return None;
        }
        self.fetch(shared)
    }

    /// Whether the worker's own tasks have waited for long enough; it counts from the first batch
    /// after that of the look, so that a look alone asks no clock.
    #[cold]
    fn is_turn_over(&mut self) -> bool {
        if self.interval.is_fixed() {
            return false;
        }
        let now = Instant::now();
        let since = *self.quota_since.get_or_insert(now);
        let is_over = GlobalQueueInterval::has_target_passed(now.saturating_duration_since(since));
        if is_over {
            self.quota = 0;
        }
        is_over
    }

    /// Takes a batch from the global queue.
    pub(crate) fn fetch(&mut self, shared: &Shared) -> Option<Runnable> {
        let batch = shared.injector.fetch(&self.buffer, shared.workers());
        self.since_global = 0;
        self.hurried = self.interval.urgent_polls();
        shared.external_hint.take(batch.taken, batch.left);
        if batch.left > 0 {
            self.hurried = self.hurried.min(self.ring.len() as u32 + 1);
        }
        if batch.first.is_some() {
            self.counters(shared).batch_fetches.add(1);
            self.quota = self.quota.saturating_sub(batch.taken as u32);
        } else {
            self.quota = 0;
        }
        batch.first
    }

    /// Calls for help with what was left in the ring, if there is anybody to help.
    ///
    /// The caller has just taken a task from one of its queues, each of which takes an exchange.
    #[cold]
    fn announce_rest(&mut self, shared: &Shared) {
        self.unannounced = false;
        if !self.searching && !self.ring.is_empty() {
            shared.notify_after_exchange();
        }
    }

    /// Puts the task in the LIFO slot where others may take it, and calls for them.
    pub(crate) fn offer_all(&mut self, shared: &Shared) {
        if let Some(task) = self.lifo.take() {
            self.push_ring(shared, task);
        }
        if self.has_work() {
            shared.notify();
        }
    }

    /// Whether any of its queues has a task.
    pub(crate) fn has_work(&self) -> bool {
        !self.lifo.is_empty() || !self.ring.is_empty() || !self.buffer.is_empty()
    }

    /// A poll of the task begins.
    #[inline]
    pub(crate) fn begin_poll(&mut self, shared: &Shared, task: &Runnable) {
        let counters = self.counters(shared);
        counters.polled.add(1);
        counters.running.set(task.id().to_bits());
        self.timed_polls += 1;
        self.until_tick = self.until_tick.saturating_sub(1);
    }

    #[inline]
    pub(crate) fn tick_is_over(&self) -> bool {
        self.until_tick == 0
    }

    pub(crate) fn begin_tick(&mut self) {
        self.until_tick = self.interval.tick(TICK);
    }

    /// The worker has slept until now. It has looked at clock and driver, as a tick would.
    pub(crate) fn end_sleep(&mut self, now: Instant) {
        self.brief_sleeps.end(now);
        self.begin_tick();
        self.start_timing(now);
    }

    /// Whether there was something to do soon, whenever it went to sleep of late.
    pub(crate) fn is_busy(&self) -> bool {
        self.brief_sleeps.is_busy()
    }

    /// When it began to poll.
    pub(crate) fn polls_since(&self) -> Instant {
        self.since.unwrap_or_else(Instant::now)
    }

    /// The worker polls from here on.
    pub(crate) fn start_timing(&mut self, now: Instant) {
        self.since = Some(now);
        self.timed_polls = 0;
    }

    /// The worker goes on to poll since the moment at which it stopped.
    pub(crate) fn resume_timing(&mut self) {
        if self.since.is_none() {
            self.since = self.brief_sleeps.since();
            self.timed_polls = 0;
        }
    }

    /// The worker has polled until now; what it does next is something else.
    #[doc(alias = "updateAdaptiveInterval")]
    pub(crate) fn stop_timing(&mut self, shared: &Shared, now: Instant) {
        self.brief_sleeps.begin(now);
        let Some(since) = self.since.take() else {
            return;
        };
        let elapsed = now.saturating_duration_since(since);
        self.interval.sample(elapsed, self.timed_polls);
        self.counters(shared)
            .busy_nanos
            .add(elapsed.as_nanos() as u64);
    }
}
