//! The idle set: the sleeping workers, the number of searchers, and the choice of a worker to wake.
//!
//! Each worker has a bit, which is set while it sleeps or is about to. A summary word counts
//! sleepers and searchers. A worker *searches* while it looks for tasks in the queues of others.
//! While a worker searches, a new task wakes no other worker, because the searcher will find it.
//!
//! # Protocol
//!
//! A thread that makes a task available
//! 1. queues it;
//! 2. calls [`notify`], which fences (`SeqCst`), or [`notify_after_exchange`] if that would be a
//!    second fence. No fence is needed if the task was queued under a lock that step 3 of the
//!    sleeper takes too;
//! 3. reads the summary. If no worker searches and one sleeps, it [`claim`]s a sleeper, which
//!    counts as a searcher from then on, and unparks it.
//!
//! A worker that goes to sleep
//! 1. [`announce`]s itself: it sets its bit, and then adds to the summary, which makes it a sleeper
//!    and, if it searched, no searcher;
//! 2. fences (`SeqCst`);
//! 3. checks each queue that it could take from once more, unless the summary still counts a
//!    searcher;
//! 4. [`withdraw`]s and searches if there is a task; else it sleeps until its bit is cleared.
//!
//! A searcher that finds a task calls [`stop_searching`], which fences (`SeqCst`). If it was the
//! last searcher, it checks all queues. If one has a task, it claims another sleeper, because the
//! thread that queued the task may have relied on this searcher (in step 3). It may leave tasks in
//! its own ring to itself if all other queues are empty, as a [busy
//! worker](crate::scheduler::worker) does: only this worker has queued them, and it is awake. The
//! [stall monitor](super::driver_slot) covers such tasks, as it covers those in LIFO slots.
//!
//! # Why no wake-up is lost
//!
//! Let P queue a task, and let W go to sleep without seeing it. Then the fence of W precedes the
//! fence of P, so P reads a summary in which W sleeps, or a later one. P wakes no worker only if it
//! reads that a worker S searches. S was still searching at that point in the history of the
//! summary, so all later actions of S follow the fence of P. S announces itself, fences, and finds
//! the task of P. Or S stops searching, and if it is the last, it fences, and finds that the task
//! is gone, or claims a sleeper, which searches in turn.
//!
//! If the queue has a lock, the lock orders P and W, or P and S, as the fences do. A worker that
//! checked the queue before P pushed has announced itself before, and P reads a summary that
//! includes it.
//!
//! W need not check the queues while a worker S searches. If P has read a summary before W's
//! addition, and has woken no worker, then S or a searcher after it ends its search later than that
//! read. The last one fences and checks, as above. Otherwise P reads a summary in which W sleeps.
//! Without this rule, workers without tasks never sleep while others queue a task at each moment,
//! and take the only task of a worker that is awake.
//!
//! The same holds for a claimer that finds no bit. It counted as a searcher for a moment, so
//! afterwards it checks the summary and the bits again.
//!
//! # Invariants
//!
//! - I1: the read-modify-write that clears a bit owns its sleeper. A worker whose bit was cleared
//!   by another thread counts as a searcher, and will be unparked.
//! - I2: a bit is set before its sleeper is counted, and cleared before it is uncounted. So a
//!   thread that reads a count sees the bits of it. A counted sleeper may be gone, and an uncounted
//!   one may exist, but not after the fences of both sides.
//! - I3: the count of sleepers may be below zero, modulo 2^32, but only while a worker searches. A
//!   claimer may clear the bit of a worker that is not counted yet, and so uncount another sleeper
//!   early. If that sleeper withdraws, it is uncounted twice. The claimed worker counts as a
//!   searcher, and it counts itself as a sleeper before it searches. The count of searchers is
//!   never below zero.
//!
//! Tests: `idle_set_tests.rs`; the protocol with real queues and parkers in `idle_set_models.rs`;
//! I3 in `sleeper_count_models.rs`.
//!
//! [`notify`]: IdleSet::notify
//! [`notify_after_exchange`]: IdleSet::notify_after_exchange
//! [`claim`]: IdleSet::claim
//! [`announce`]: IdleSet::announce
//! [`withdraw`]: IdleSet::withdraw
//! [`stop_searching`]: IdleSet::stop_searching

use crossbeam_utils::CachePadded;

use crate::loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};
use crate::loom::sync::atomic::{AtomicU64, fence};

const SEARCHER: u64 = 1;
const SLEEPER: u64 = 1 << 32;
const BITS: usize = u64::BITS as usize;

/// The workers to wake last; an index without a worker has no effect.
pub(crate) type WakeLast = [usize; 2];

/// The idle set of one scheduler.
#[derive(Debug)]
#[doc(alias = "IdleState")]
pub(crate) struct IdleSet {
    /// Sleepers in the upper half, searchers in the lower.
    #[doc(alias("num_searching", "num_parked"))]
    summary: CachePadded<AtomicU64>,
    #[doc(alias = "parked_bitmap")]
    sleepers: Box<[CachePadded<AtomicU64>]>,
    workers: usize,
}

fn searching(summary: u64) -> u64 {
    summary % SLEEPER
}

fn sleeping(summary: u64) -> u64 {
    summary / SLEEPER
}

/// Returns the index of the word, and the mask, of a worker's bit.
fn place(worker: usize) -> (usize, u64) {
    (worker / BITS, 1 << (worker % BITS))
}

impl IdleSet {
    /// Returns an idle set in which all of `workers` workers are awake and none searches.
    pub(crate) fn new(workers: usize) -> Self {
        let words = workers.div_ceil(BITS);
        Self {
            summary: CachePadded::new(AtomicU64::new(0)),
            sleepers: (0..words)
                .map(|_| CachePadded::new(AtomicU64::new(0)))
                .collect(),
            workers,
        }
    }

    /// Steps 2 and 3 of making a task available. The caller must unpark the returned worker.
    #[inline]
    pub(crate) fn notify(&self, wake_last: WakeLast) -> Option<usize> {
        // ORDERING: SeqCst, pairs with the fence in `announce`: either we see the sleeper, or it
        // sees the task.
        fence(SeqCst);
        self.choose(wake_last)
    }

    /// Does the same as [`notify`](Self::notify), for a caller that has made an atomic exchange
    /// after it queued the task. On x86 that exchange is a fence already, and a second one would
    /// cost as much as the rest of a yield.
    #[inline]
    pub(crate) fn notify_after_exchange(&self, wake_last: WakeLast) -> Option<usize> {
        fence_after_exchange();
        self.choose(wake_last)
    }

    /// Step 3 before the [`claim`](Self::claim), for a caller that has queued the task under a lock
    /// that all readers of the queue take.
    #[inline]
    pub(crate) fn should_wake(&self) -> bool {
        should_wake_for(self.summary.load(Relaxed))
    }

    /// Step 3.
    #[inline]
    fn choose(&self, wake_last: WakeLast) -> Option<usize> {
        if self.should_wake() {
            self.claim(wake_last)
        } else {
            None
        }
    }

    /// Chooses a sleeper to wake, which counts as a searcher from now on. The caller must unpark
    /// it. The workers of `wake_last` are chosen only if no other worker sleeps, in their order.
    ///
    /// Returns `None` if a worker searches already or none sleeps.
    #[cold]
    pub(crate) fn claim(&self, wake_last: WakeLast) -> Option<usize> {
        let mut seen = self.summary.load(Acquire);
        while should_wake_for(seen) {
            if let Err(now) =
                self.summary
                    .compare_exchange_weak(seen, seen + SEARCHER, AcqRel, Acquire)
            {
                seen = now;
                continue;
            }
            if let Some(worker) = self.clear_any(wake_last) {
                self.summary.fetch_sub(SLEEPER, AcqRel);
                return Some(worker);
            }
            // The sleepers are gone. Another thread may have counted us as a searcher, so check
            // again.
            seen = self.summary.fetch_sub(SEARCHER, AcqRel) - SEARCHER;
            if self.sleepers.iter().all(|word| word.load(Acquire) == 0) {
                return None;
            }
        }
        None
    }

    /// Clears one bit, those of `wake_last` last; returns its worker.
    fn clear_any(&self, wake_last: WakeLast) -> Option<usize> {
        for (index, word) in self.sleepers.iter().enumerate() {
            let spared = wake_last.map(place).into_iter();
            let spared = spared.filter(|&(word, _)| word == index);
            let spared = spared.fold(0, |all, (_, mask)| all | mask);
            let mut bits = word.load(Acquire) & !spared;
            while bits != 0 {
                let mask = bits & bits.wrapping_neg();
                // ORDERING: AcqRel: all writes of the sleeper before it announced itself are
                // visible to us, and it will see our writes before the claim.
                let before = word.fetch_and(!mask, AcqRel);
                if before & mask != 0 {
                    return Some(index * BITS + mask.trailing_zeros() as usize);
                }
                bits = before & !spared;
            }
        }
        let taken = |&worker: &usize| worker < self.workers && self.clear(worker);
        wake_last.into_iter().find(taken)
    }

    /// Clears the worker's bit; returns `false` if it was clear.
    fn clear(&self, worker: usize) -> bool {
        let (word, mask) = place(worker);
        self.sleepers[word].fetch_and(!mask, AcqRel) & mask != 0
    }

    /// Steps 1 and 2 of going to sleep. Returns `true` if the caller must check all queues again,
    /// because no worker searches.
    #[must_use = "without a searcher, the caller checks the queues"]
    #[doc(alias = "transitioning_to_park")]
    pub(crate) fn announce(&self, worker: usize) -> bool {
        self.announce_with(worker, SLEEPER)
    }

    /// Does the same for a searcher, which the summary does not count as one afterwards.
    #[must_use = "without a searcher, the caller checks the queues"]
    pub(crate) fn announce_searcher(&self, worker: usize) -> bool {
        self.announce_with(worker, SLEEPER - SEARCHER)
    }

    #[inline]
    fn announce_with(&self, worker: usize, change: u64) -> bool {
        self.set(worker);
        let summary = self.count(change);
        // ORDERING: SeqCst, pairs with the fence of a thread that queues a task: either that thread
        // sees us as a sleeper, or we see its task.
        fence(SeqCst);
        searching(summary) == 0
    }

    /// Sets the worker's bit.
    #[inline]
    fn set(&self, worker: usize) {
        let (word, mask) = place(worker);
        let before = self.sleepers[word].fetch_or(mask, AcqRel);
        debug_assert_eq!(before & mask, 0, "worker {worker} sleeps already");
    }

    /// Adds to the summary, and returns it. The sum wraps if the count of sleepers was below zero;
    /// see I3.
    #[inline]
    fn count(&self, change: u64) -> u64 {
        self.summary.fetch_add(change, AcqRel).wrapping_add(change)
    }

    /// Ends the sleep of the worker, which is a searcher afterwards. Returns `false` if another
    /// thread has claimed it, which made it a searcher too.
    pub(crate) fn withdraw(&self, worker: usize) -> bool {
        let withdrawn = self.clear(worker);
        if withdrawn {
            self.summary.fetch_sub(SLEEPER - SEARCHER, AcqRel);
        }
        withdrawn
    }

    /// Returns `true` if no thread has claimed the worker since it announced itself.
    pub(crate) fn is_asleep(&self, worker: usize) -> bool {
        let (word, mask) = place(worker);
        // ORDERING: Acquire, pairs with the AcqRel of the claimer.
        self.sleepers[word].load(Acquire) & mask != 0
    }

    /// Returns `true` if each worker sleeps, or checks its queues before it does.
    ///
    /// Reads the bits, because the count may be too high: a claimer clears the bit of a sleeper
    /// before it uncounts it. If the sleeper announces itself again in between, it is counted
    /// twice.
    pub(crate) fn are_all_asleep(&self) -> bool {
        let all_in = |(index, word): (usize, &CachePadded<AtomicU64>)| {
            let members = (self.workers - index * BITS).min(BITS);
            // ORDERING: Acquire, pairs with `announce`: the earlier writes of the worker are
            // visible.
            word.load(Acquire).count_ones() as usize == members
        };
        self.sleepers.iter().enumerate().all(all_in)
    }

    /// Makes the caller a searcher, unless half of the workers search already; returns `true` if it
    /// is one.
    #[doc(alias = "tryBecomeSearcher")]
    pub(crate) fn try_search(&self) -> bool {
        let mut seen = self.summary.load(Relaxed);
        while 2 * searching(seen) < self.workers as u64 {
            match self
                .summary
                .compare_exchange_weak(seen, seen + SEARCHER, AcqRel, Relaxed)
            {
                Ok(_) => return true,
                Err(now) => seen = now,
            }
        }
        false
    }

    /// Ends the search of the caller, which has found a task; returns `true` if no other searcher
    /// is left.
    ///
    /// Fences: tasks that were queued by threads that relied on the caller are visible afterwards.
    #[must_use = "the last searcher wakes another"]
    #[doc(alias = "transitionWorkerFromSearching")]
    pub(crate) fn stop_searching(&self) -> bool {
        let before = self.summary.fetch_sub(SEARCHER, AcqRel);
        debug_assert!(searching(before) > 0, "no worker searches");
        // ORDERING: SeqCst, pairs with the fence of a thread that queues a task: it saw us search,
        // so its fence came first, and we see the task.
        fence(SeqCst);
        searching(before) == 1
    }

    /// Returns the number of workers that search.
    pub(crate) fn searchers(&self) -> usize {
        searching(self.summary.load(Relaxed)) as usize
    }

    /// Returns the number of workers that sleep; zero if the count is below zero (I3).
    pub(crate) fn sleepers(&self) -> usize {
        let count = sleeping(self.summary.load(Relaxed)) as u32;
        count.cast_signed().max(0) as usize
    }
}

// ORDERING: both pair with the fence in `announce`, as that of `notify` does.
cfg_select! {
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        not(any(loom, miri, all(test, shuttle))),
    ) => {
        /// x86 does not move a later load before the exchange, nor an earlier store after it. So
        /// only the compiler needs a fence.
        #[inline]
        fn fence_after_exchange() {
            crate::loom::sync::atomic::compiler_fence(SeqCst);
        }
    }
    _ => {
        #[inline]
        fn fence_after_exchange() {
            fence(SeqCst);
        }
    }
}

#[inline]
fn should_wake_for(summary: u64) -> bool {
    searching(summary) == 0 && sleeping(summary) > 0
}

#[cfg(all(test, not(loom)))]
#[path = "idle_set_tests.rs"]
mod tests;

#[cfg(all(test, loom))]
#[path = "idle_set_models.rs"]
mod models;

#[cfg(all(test, loom))]
#[path = "sleeper_count_models.rs"]
mod sleeper_count_models;
