//! All interleavings of the summary with a claim of a worker that is not counted yet.

use loom::sync::Arc;
use loom::sync::atomic::Ordering::Acquire;
use loom::thread;

use super::{IdleSet, searching, sleeping};

/// An index without a worker.
const NO_WORKER: usize = 2;

/// A claimer takes worker 1, which may not be counted yet, and so uncounts worker 0. Worker 0 wakes
/// up by itself, and finds a task.
///
/// Breaks when `sleepers` returns a count below zero as a large number, and when `claim` uncounts
/// the claimed worker as a searcher.
#[test]
fn count_is_below_zero_only_during_a_search() {
    loom::model(|| {
        let idle = Arc::new(IdleSet::new(2));
        assert!(idle.announce(0));
        let [claimer, sleeper] = [(); 2].map(|()| Arc::clone(&idle));
        let threads = [
            thread::spawn(move || _ = claimer.claim([0, NO_WORKER])),
            thread::spawn(move || _ = sleeper.announce(1)),
        ];
        idle.withdraw(0);
        _ = idle.stop_searching();
        let summary = idle.summary.load(Acquire);
        assert!(sleeping(summary) <= 2 || searching(summary) > 0);
        assert!(idle.sleepers() <= 2);
        for thread in threads {
            thread.join().unwrap();
        }
        let asleep = usize::from(idle.is_asleep(1));
        assert_eq!((idle.sleepers(), idle.searchers()), (asleep, 1 - asleep));
    });
}
