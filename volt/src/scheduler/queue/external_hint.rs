//! Whether somebody outside waits for a look at the global queue, and for how many tasks of it.
//!
//! Busy workers look there after a few polls while there is a hurry. What lies there need not come
//! from outside: a worker whose ring is full moves half of it there, and if those tasks wake
//! themselves, the queue is never empty again. So a hurry is for the tasks that were queued when it
//! began, and ends when so many have been taken. Whoever queues one in the meantime asks for
//! another turn, which begins when this one ends. All of it is a hint: who misses it monitor_rounds
//! a little later.

use crossbeam_utils::CachePadded;

use crate::loom::sync::atomic::AtomicUsize;
use crate::loom::sync::atomic::Ordering::Relaxed;

/// Somebody has queued a task since the hurry began.
const AGAIN: usize = 1 << (usize::BITS - 1);

/// The tasks that are still to be taken, and [`AGAIN`]; zero if there is no hurry.
#[derive(Debug)]
pub(crate) struct ExternalWorkHint(CachePadded<AtomicUsize>);

impl ExternalWorkHint {
    pub(crate) fn new() -> Self {
        Self(CachePadded::new(AtomicUsize::new(0)))
    }

    /// Somebody outside has queued a task, the last of `queued`.
    #[inline]
    pub(crate) fn begin(&self, queued: impl FnOnce() -> usize) {
        match self.0.load(Relaxed) {
            0 => self.0.store(queued(), Relaxed),
            seen if seen & AGAIN == 0 => _ = self.0.fetch_or(AGAIN, Relaxed),
            _ => {}
        }
    }

    /// Whether there is one.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Relaxed) != 0
    }

    /// So many tasks were taken, and so many are left.
    #[inline]
    pub(crate) fn take(&self, taken: usize, left: usize) {
        let seen = self.0.load(Relaxed);
        if seen != 0 {
            let next = after(seen, taken, left);
            // If it fails, somebody has asked again or has taken too: the next look will end it.
            _ = self.0.compare_exchange(seen, next, Relaxed, Relaxed);
        }
    }
}

fn after(seen: usize, taken: usize, left: usize) -> usize {
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

    fn hurry(queued: usize) -> ExternalWorkHint {
        let hurry = ExternalWorkHint::new();
        hurry.begin(|| queued);
        hurry
    }

    #[test]
    fn hurry_ends_when_those_have_been_taken_for_whom_it_began() {
        let hurry = hurry(3);
        hurry.take(2, 1000);
        assert!(hurry.is_on());
        hurry.take(1, 1000);
        assert!(!hurry.is_on());
    }

    #[test]
    fn hurry_for_a_task_that_is_gone_does_not_begin() {
        assert!(!hurry(0).is_on());
    }

    #[test]
    fn queue_that_was_seen_empty_ends_the_hurry() {
        let hurry = hurry(3);
        hurry.begin(|| 4);
        hurry.take(1, 0);
        assert!(!hurry.is_on());
    }

    #[test]
    fn task_queued_in_a_hurry_has_its_turn_after_those_before_it() {
        let hurry = hurry(1);
        hurry.begin(|| unreachable!("the queue's length is asked for once"));
        hurry.take(5, 7);
        assert!(hurry.is_on());
        hurry.take(6, 1000);
        assert!(hurry.is_on());
        hurry.take(1, 1000);
        assert!(!hurry.is_on());
    }
}
