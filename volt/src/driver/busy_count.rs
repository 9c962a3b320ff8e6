//! Who is at work beside the workers.
//!
//! Under a paused clock time passes only while everybody waits. A scheduler knows which of its
//! workers sleep; the threads that block on a future, those that have given their worker away, and
//! the jobs of the blocking pool, are counted here. Where such a thread sleeps in a join or in a
//! block within, it gives up all its counts for that long.
//!
//! # Layout
//!
//! ```text
//!   63                    32 31                     0
//!  ┌────────────────────────┬────────────────────────┐
//!  │ how often work began   │ how many are at work   │
//!  └────────────────────────┴────────────────────────┘
//! ```
//!
//! # Protocol
//!
//! Whoever wakes somebody counts him as at work *before* he goes to rest himself, so there is no
//! moment at which nobody is at work and somebody will be. [`BusyCount::was_idle_during`] looks at
//! this word, then at the workers, then at the word again: if nobody was at work and none began
//! in between, then everybody was at rest at the moment when the workers were.

use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicU64, Ordering, fence};

/// One more at work, who begins.
const BEGIN: u64 = (1 << 32) + 1;

/// Counts those at work; clones count together.
#[derive(Clone, Debug)]
pub(crate) struct BusyCount(Arc<AtomicU64>);

impl BusyCount {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(0)))
    }

    /// Somebody begins to work.
    #[inline]
    pub(crate) fn begin(&self) {
        // ORDERING: AcqRel: a chain of all who begin and end, for `was_idle_during`.
        self.0.fetch_add(BEGIN, Ordering::AcqRel);
    }

    /// Somebody is done.
    #[inline]
    pub(super) fn end(&self) {
        // ORDERING: as in `begin`.
        self.0.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether nobody was at work at the moment when `others_rest` found the others at rest.
    pub(crate) fn was_idle_during(&self, others_rest: impl FnOnce() -> bool) -> bool {
        // ORDERING: Acquire, and a fence on either side of the look at the others: what they did
        // before they went to rest is seen by the second look.
        let before = self.0.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if before as u32 != 0 || !others_rest() {
            return false;
        }
        fence(Ordering::SeqCst);
        self.0.load(Ordering::Acquire) == before
    }

    /// Whether both count together.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::BusyCount;

    #[test]
    fn work_under_way_is_no_rest() {
        let activity = BusyCount::new();
        assert!(activity.was_idle_during(|| true));
        assert!(!activity.was_idle_during(|| false));
        activity.begin();
        assert!(!activity.was_idle_during(|| true));
        activity.end();
        assert!(activity.was_idle_during(|| true));
    }

    #[test]
    fn work_that_began_and_ended_meanwhile_is_no_rest() {
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

    /// A worker wakes a thread and lies down; the thread works, and is done. Fails if
    /// `was_idle_during` takes no second look, or if the worker lies down before it counts the
    /// thread.
    #[test]
    fn who_is_woken_by_one_that_lies_down_is_seen() {
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
                assert!(done.load(Ordering::Relaxed), "somebody was at work");
            }
            worker.join().unwrap();
            thread.join().unwrap();
        });
    }
}
