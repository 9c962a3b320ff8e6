//! The hint that tasks from outside wait in the global queue, and their number.
//!
//! Busy workers check the global queue after a few polls while the hint is set. A full ring moves
//! half of its tasks there too. If those tasks wake themselves, the queue is never empty again. So
//! the hint covers the tasks that were queued when it was set, and is cleared when as many have
//! been taken. A task that is queued from outside meanwhile requests another round, which begins
//! when this one ends.
//!
//! A lost update of the hint only delays a check.

use crossbeam_utils::CachePadded;

use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::Relaxed;

/// A task was queued from outside since the hint was set.
const AGAIN: usize = 1 << (usize::BITS - 1);

/// The number of tasks that are still to be taken, and [`AGAIN`]; zero if the hint is not set.
#[derive(Debug)]
pub(crate) struct ExternalWorkHint(CachePadded<AtomicUsize>);

impl ExternalWorkHint {
    pub(crate) fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }

    /// Sets the hint for a task from outside, the last of `queued` in the global queue.
    #[inline]
    pub(crate) fn set(&self, queued: impl FnOnce() -> usize) {
        match self.0.load(Relaxed) {
            0 => self.0.store(queued(), Relaxed),
            seen if seen & AGAIN == 0 => _ = self.0.fetch_or(AGAIN, Relaxed),
            _ => {}
        }
    }

    /// Returns `true` if the hint is set.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Relaxed) != 0
    }

    /// Records a batch of `taken` tasks that has left `left` in the queue.
    #[inline]
    pub(crate) fn record_batch(&self, taken: usize, left: usize) {
        let seen = self.0.load(Relaxed);
        if seen != 0 {
            let next = next_state(seen, taken, left);
            // The exchange fails if another thread has set the hint again or taken tasks. Then a
            // later batch clears the hint.
            _ = self.0.compare_exchange(seen, next, Relaxed, Relaxed);
        }
    }
}

fn next_state(seen: usize, taken: usize, left: usize) -> usize {
    let again = seen & AGAIN;
    match (seen & !AGAIN).saturating_sub(taken) {
        _ if left == 0 => 0,
        0 if again == 0 => 0,
        0 => left,
        ahead => ahead | again,
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::ExternalWorkHint;

    fn hint(queued: usize) -> ExternalWorkHint {
        let hint = ExternalWorkHint::new();
        hint.set(|| queued);
        hint
    }

    #[test]
    fn hint_is_cleared_after_its_tasks_were_taken() {
        let hint = hint(3);
        hint.record_batch(2, 1000);
        assert!(hint.is_set());
        hint.record_batch(1, 1000);
        assert!(!hint.is_set());
    }

    #[test]
    fn hint_for_taken_task_is_not_set() {
        assert!(!hint(0).is_set());
    }

    #[test]
    fn empty_queue_clears_the_hint() {
        let hint = hint(3);
        hint.set(|| 4);
        hint.record_batch(1, 0);
        assert!(!hint.is_set());
    }

    #[test]
    fn task_queued_meanwhile_sets_the_hint_again() {
        let hint = hint(1);
        hint.set(|| unreachable!("the length of the queue is read once"));
        hint.record_batch(5, 7);
        assert!(hint.is_set());
        hint.record_batch(6, 1000);
        assert!(hint.is_set());
        hint.record_batch(1, 1000);
        assert!(!hint.is_set());
    }
}
