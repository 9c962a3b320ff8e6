//! The count of busy threads that are not workers.
//!
//! Under a paused clock time passes only while all threads wait. The scheduler knows which workers
//! sleep. This counts the other busy threads: those that block on a future, those whose worker
//! moved to another thread, and the jobs of the blocking pool. A thread that sleeps in a join or in
//! a nested block releases all its counts for that time.
//!
//! # Layout
//!
//! ```text
//!   63                    32 31                     0
//!  ┌────────────────────────┬────────────────────────┐
//!  │ number of begins       │ busy threads           │
//!  └────────────────────────┴────────────────────────┘
//! ```
//!
//! # Protocol
//!
//! A thread that wakes another counts it as busy *before* it becomes idle itself. So there is no
//! moment at which no thread is busy and one will be. [`BusyCount::was_idle_during`] reads this
//! word, then checks the workers, then reads the word again. If no thread was busy, and none began
//! in between, all threads were idle at the moment when the workers were.

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicU64, Ordering, fence};

/// Adds one busy thread, and one begin.
const BEGIN: u64 = (1 << 32) + 1;

/// The count of busy threads, which clones share.
#[derive(Clone, Debug)]
pub(crate) struct BusyCount(Arc<AtomicU64>);

impl BusyCount {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(0)))
    }

    /// Counts a thread as busy.
    #[inline]
    pub(crate) fn begin(&self) {
        // ORDERING: AcqRel: a chain of all begins and ends, for `was_idle_during`.
        self.0.fetch_add(BEGIN, Ordering::AcqRel);
    }

    /// Uncounts a busy thread.
    #[inline]
    pub(super) fn end(&self) {
        // ORDERING: the same as in `begin`.
        self.0.fetch_sub(1, Ordering::AcqRel);
    }

    /// Returns `true` if no thread was busy at the moment when `others_are_idle` returned `true`.
    pub(crate) fn was_idle_during(&self, others_are_idle: impl FnOnce() -> bool) -> bool {
        // ORDERING: Acquire, and a fence before and after the check of the other threads: their
        // writes before they became idle are visible to the second read.
        let before = self.0.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if before as u32 != 0 || !others_are_idle() {
            return false;
        }
        fence(Ordering::SeqCst);
        self.0.load(Ordering::Acquire) == before
    }

    /// Returns `true` if both are clones of one count.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::BusyCount;

    #[test]
    fn busy_thread_prevents_idleness() {
        let activity = BusyCount::new();
        assert!(activity.was_idle_during(|| true));
        assert!(!activity.was_idle_during(|| false));
        activity.begin();
        assert!(!activity.was_idle_during(|| true));
        activity.end();
        assert!(activity.was_idle_during(|| true));
    }

    #[test]
    fn busy_period_between_reads_is_detected() {
        let activity = BusyCount::new();
        assert!(!activity.was_idle_during(|| {
            activity.begin();
            activity.end();
            true
        }));
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::BusyCount;
    use crate::loom::sync::Arc;
    use crate::loom::sync::atomic::{AtomicBool, Ordering};
    use crate::loom::thread;

    /// A worker wakes a thread and parks; the thread works, and is done. Breaks when
    /// `was_idle_during` does not read the word twice, and when the worker parks before it counts
    /// the thread.
    #[test]
    fn thread_woken_by_parking_worker_counts_as_busy() {
        loom::model(|| {
            let activity = BusyCount::new();
            let [woken, rests, done] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
            let worker = {
                let (activity, woken, rests) = (activity.clone(), woken.clone(), rests.clone());
                thread::spawn(move || {
                    activity.begin();
                    woken.store(true, Ordering::Release);
                    rests.store(true, Ordering::SeqCst);
                })
            };
            let thread = {
                let (activity, done) = (activity.clone(), done.clone());
                thread::spawn(move || {
                    if woken.load(Ordering::Acquire) {
                        done.store(true, Ordering::Relaxed);
                        activity.end();
                    }
                })
            };
            if activity.was_idle_during(|| rests.load(Ordering::SeqCst)) {
                assert!(done.load(Ordering::Relaxed), "a thread was busy");
            }
            worker.join().unwrap();
            thread.join().unwrap();
        });
    }
}
