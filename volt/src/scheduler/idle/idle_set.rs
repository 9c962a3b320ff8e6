//! The idle set: which workers sleep, how many search, and who may wake whom.
//!
//! One bit a worker says that it sleeps, or is about to; a summary word counts the sleepers and the
//! searchers. A worker *searches* while it monitor_rounds for work in other workers' queues; as
//! long as somebody searches, new work needs no wake-up, because the searcher will come by.
//!
//! # Protocol
//!
//! Whoever makes a task available:
//! 1. queues it;
//! 2. [`notify`]: fences (`SeqCst`), or [`notify_after_exchange`] where that would be a second
//!    fence; but not if it was queued under a lock, and step 3 below takes the same lock;
//! 3. reads the summary, and if nobody searches and somebody sleeps, [`claim`]s a sleeper, who
//!    counts as searching from that moment, and unparks it.
//!
//! Whoever goes to sleep, searching or not:
//! 1. [`announce`]s itself: its bit is set, then one addition to the summary makes it a sleeper
//!    and, if it searched, no searcher;
//! 2. fences (`SeqCst`);
//! 3. monitor_rounds once more into every queue that it could take from;
//! 4. if there is something, [`withdraw`]s and searches; else sleeps until its bit is gone.
//!
//! Whoever finds work while searching [`stop_searching`]es, fences (`SeqCst`), and if it was the
//! last searcher, monitor_rounds into every queue: where there is something, it claims another
//! sleeper, as it may have kept whoever queued that (in step 3) from waking anybody. What lies in
//! its own ring it may leave to itself, as a [busy worker](crate::scheduler::worker) does, if all
//! other queues are empty: it is awake, and nobody but itself has queued that. From then on this is
//! a matter of the [stall monitor](super::driver_slot), as is a task in a LIFO slot.
//!
//! # Why no wake-up is lost
//!
//! Let P queue a task and W go to sleep without seeing it. Of their two fences, W's came first, so
//! P reads a summary in which W sleeps, or a later one. P wakes nobody only if it read that
//! somebody, S, searches. S was still searching at that point of the summary's history, so all S
//! does next comes after P's fence. S either announces itself, fences, and finds P's task; or stops
//! searching, and if it is the last, fences, and finds that the task is gone, or claims a sleeper,
//! who searches in turn. Where the queue has a lock, the lock orders P and W, or P and S, as the
//! fences do: who looked before P pushed has announced itself before, and P reads a summary that
//! says so. The same holds for a claimer that finds no bit: it counted as a searcher for a moment,
//! so when it has ceased to, it monitor_rounds at summary and bits again.
//!
//! # Invariants
//!
//! - I1: the bit decides who owns a sleeper: whoever's read-modify-write clears it. A worker whose
//!   bit is cleared by another counts as a searcher, and an unpark is on its way to it.
//! - I2: a bit is set before its sleeper is counted and cleared before it is discounted, so whoever
//!   reads a count sees the bits behind it; a counted sleeper may be gone, an uncounted one may be
//!   there, but not after both sides' fences.
//!
//! Tests: `idle_tests.rs`; the protocol with real queues and parkers in `idle_models.rs`.
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

/// Whom to wake last; each may be nobody.
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

/// The word and the mask of a worker's bit.
fn place(worker: usize) -> (usize, u64) {
    (worker / BITS, 1 << (worker % BITS))
}

impl IdleSet {
    /// An idle set in which all of `workers` workers are awake and none searches.
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

    /// Steps 2 and 3 of making a task available: the caller must unpark whom this returns.
    #[inline]
    pub(crate) fn notify(&self, wake_last: WakeLast) -> Option<usize> {
        // ORDERING: SeqCst, pairs with the fence in `announce`: either we see the sleeper, or it
        // sees the task.
        fence(SeqCst);
        self.choose(wake_last)
    }

    /// As [`notify`](Self::notify), for a caller that has queued the task and then made an atomic
    /// exchange: on x86 that exchange is a fence already, and the second one would cost as much as
    /// the rest of a yield.
    #[inline]
    pub(crate) fn notify_after_exchange(&self, wake_last: WakeLast) -> Option<usize> {
        fence_after_exchange();
        self.choose(wake_last)
    }

    /// Step 3 up to the [`claim`](Self::claim), for a caller that has queued the task under a lock:
    /// for queues where all who look take that lock.
    #[inline]
    pub(crate) fn should_wake(&self) -> bool {
        should_wake_for(self.summary.load(Relaxed))
    }

    /// Step 3.
    #[inline]
    fn choose(&self, wake_last: WakeLast) -> Option<usize> {
        match self.should_wake() {
            true => self.claim(wake_last),
            false => None,
        }
    }

    /// Chooses a sleeper to be woken, who counts as a searcher from now on; the caller must
    /// unpark it. Takes those of `wake_last` only if nobody else sleeps, in their order.
    ///
    /// Returns `None` if somebody searches already or nobody sleeps.
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
            // The sleepers are gone, but we may have passed for a searcher: so look again.
            seen = self.summary.fetch_sub(SEARCHER, AcqRel) - SEARCHER;
            if self.sleepers.iter().all(|word| word.load(Acquire) == 0) {
                return None;
            }
        }
        None
    }

    /// Clears one bit, those of `wake_last` last.
    fn clear_any(&self, wake_last: WakeLast) -> Option<usize> {
        for (index, word) in self.sleepers.iter().enumerate() {
            let spared = wake_last.map(place).into_iter();
            let spared = spared.filter(|&(word, _)| word == index);
            let spared = spared.fold(0, |all, (_, mask)| all | mask);
            let mut bits = word.load(Acquire) & !spared;
            while bits != 0 {
                let mask = bits & bits.wrapping_neg();
                // ORDERING: AcqRel: what the sleeper did before it announced itself is over, and
                // it will see what we did before we claimed it.
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

    /// Clears the worker's bit; false if it was clear.
    fn clear(&self, worker: usize) -> bool {
        let (word, mask) = place(worker);
        self.sleepers[word].fetch_and(!mask, AcqRel) & mask != 0
    }

    /// Steps 1 and 2 of going to sleep. After this the caller must look into all queues again.
    #[doc(alias = "transitioning_to_park")]
    pub(crate) fn announce(&self, worker: usize, was_searching: bool) {
        let (word, mask) = place(worker);
        let before = self.sleepers[word].fetch_or(mask, AcqRel);
        debug_assert_eq!(before & mask, 0, "worker {worker} sleeps already");
        let change = if was_searching {
            SLEEPER - SEARCHER
        } else {
            SLEEPER
        };
        self.summary.fetch_add(change, AcqRel);
        // ORDERING: SeqCst, pairs with the fence of whoever queues a task: either it sees us
        // block_worker, or we see its task.
        fence(SeqCst);
    }

    /// The worker gets up by itself, as a searcher; false if somebody has claimed it, which
    /// made it a searcher too.
    pub(crate) fn withdraw(&self, worker: usize) -> bool {
        let withdrawn = self.clear(worker);
        if withdrawn {
            self.summary.fetch_sub(SLEEPER - SEARCHER, AcqRel);
        }
        withdrawn
    }

    /// Whether nobody has claimed the worker since it announced itself.
    pub(crate) fn is_asleep(&self, worker: usize) -> bool {
        let (word, mask) = place(worker);
        // ORDERING: Acquire, pairs with the claimer's AcqRel.
        self.sleepers[word].load(Acquire) & mask != 0
    }

    /// Whether each worker sleeps, or monitor_rounds once more whether it may.
    ///
    /// Read from the bits: whoever claims a sleeper clears its bit first, and may be slow to
    /// discount it, so that one who has lain down again meanwhile is counted twice.
    pub(crate) fn are_all_asleep(&self) -> bool {
        let all_in = |(index, word): (usize, &CachePadded<AtomicU64>)| {
            let members = (self.workers - index * BITS).min(BITS);
            // ORDERING: Acquire, pairs with `announce`: what it did before is over.
            word.load(Acquire).count_ones() as usize == members
        };
        self.sleepers.iter().enumerate().all(all_in)
    }

    /// Makes the caller a searcher, unless half of the workers search already.
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

    /// The caller has found work; true if no other searcher is left. Fences: what was queued by
    /// those who relied on the caller can be seen after this.
    #[must_use = "the last searcher wakes another"]
    #[doc(alias = "transitionWorkerFromSearching")]
    pub(crate) fn stop_searching(&self) -> bool {
        let before = self.summary.fetch_sub(SEARCHER, AcqRel);
        debug_assert!(searching(before) > 0, "nobody searches");
        // ORDERING: SeqCst, pairs with the fence of whoever queues a task: it saw us search, so
        // its fence came first, and we see the task.
        fence(SeqCst);
        searching(before) == 1
    }

    /// How many workers search.
    pub(crate) fn searchers(&self) -> usize {
        searching(self.summary.load(Relaxed)) as usize
    }

    /// How many workers sleep.
    pub(crate) fn sleepers(&self) -> usize {
        sleeping(self.summary.load(Relaxed)) as usize
    }
}

// ORDERING: both pair with the fence in `announce`, as that of `notify` does.
cfg_select! {
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        not(any(loom, miri, all(test, shuttle))),
    ) => {
        /// No load is done there before an exchange that precedes it, nor a store after one that
        /// follows it. So only the compiler has to be told.
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
