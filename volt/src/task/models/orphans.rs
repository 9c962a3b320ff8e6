//! Models of orphans: exactly one thread detects that a task has no waker left.

use super::super::{JoinHandle, Orphan, Runnable, Schedule, TaskId, new_task};
use super::{Gate, Queue, race, ready};
use crate::loom::sync::Arc;
use crate::loom::sync::atomic::{AtomicUsize, Ordering};
use crate::task::OrphanAction;
use std::panic::Location;
use std::task::Waker;

/// A queue that counts orphans.
#[derive(Clone)]
struct Watched {
    queue: Queue,
    orphans: Arc<AtomicUsize>,
    action: OrphanAction,
}

impl Schedule for Watched {
    fn schedule(&self, task: Runnable) {
        self.queue.push(task);
    }

    fn release(&self, _: TaskId) {}

    fn orphaned(&self, _: &Orphan) {
        self.orphans.fetch_add(1, Ordering::Relaxed);
    }

    fn orphan_action(&self) -> OrphanAction {
        self.action
    }
}

impl Watched {
    /// Spawns a task that waits, and returns its wakers.
    fn new(action: OrphanAction, wakers: usize) -> (Self, JoinHandle<Arc<()>>, Vec<Waker>) {
        let watched = Self {
            queue: Queue::new(),
            orphans: Arc::new(AtomicUsize::new(0)),
            action,
        };
        let (gate, _go, left) = Gate::new(wakers);
        let (task, handle) = new_task(gate, watched.clone(), Location::caller());
        watched.queue.push(task);
        watched.queue.run_one();
        let wakers = left.lock().drain(..).collect();
        (watched, handle, wakers)
    }

    fn count(&self) -> usize {
        self.orphans.load(Ordering::Relaxed)
    }

    /// Ends the task, so that the model checks that all its memory is freed.
    fn end(self, handle: JoinHandle<Arc<()>>) {
        handle.cancel();
        self.queue.run_all();
        let mut handle = handle;
        assert!(ready(&mut handle).unwrap_err().is_cancelled());
    }
}

/// Fails if `drop_waker` reads the word in a step before the one that drops the reference.
#[test]
fn last_wakers_against_each_other() {
    loom::model(|| {
        let (watched, handle, mut wakers) = Watched::new(OrphanAction::Keep, 2);
        let (one, other) = (wakers.pop(), wakers.pop());
        race(move || drop(one), move || drop(other));
        assert_eq!(watched.count(), 1);
        watched.end(handle);
    });
}

/// Fails if `release_claim` does not check for orphans.
#[test]
fn last_waker_against_inspection() {
    loom::model(|| {
        let (watched, handle, wakers) = Watched::new(OrphanAction::Keep, 1);
        let task = handle.task_ref();
        race(move || drop(wakers), move || drop(task.inspect()));
        assert_eq!(watched.count(), 1);
        watched.end(handle);
    });
}

/// Fails if `suspend` does not check for orphans.
#[test]
fn last_waker_against_end_of_poll() {
    loom::model(|| {
        let (watched, handle, mut wakers) = Watched::new(OrphanAction::Keep, 1);
        let waker = wakers.pop().unwrap();
        waker.wake_by_ref();
        race(watched.queue.runner(), move || drop(waker));
        assert_eq!(watched.count(), 1);
        watched.end(handle);
    });
}

/// A wake by value queues the task in one step, and drops its reference in another one. Fails if
/// the second step does not check for orphans.
#[test]
fn last_wake_against_the_poll_it_schedules() {
    loom::model(|| {
        let (watched, handle, mut wakers) = Watched::new(OrphanAction::Keep, 1);
        let waker = wakers.pop().unwrap();
        let queue = watched.queue.clone();
        race(
            move || waker.wake(),
            move || {
                queue.run_one();
                queue.run_one();
            },
        );
        watched.queue.run_all();
        assert_eq!(watched.count(), 1);
        watched.end(handle);
    });
}

/// Fails if the drop that detects an orphan accesses the task after it released the claim.
#[test]
fn last_waker_against_cancel() {
    for action in [OrphanAction::Keep, OrphanAction::Cancel] {
        loom::model(move || {
            let (watched, mut handle, mut wakers) = Watched::new(action, 1);
            let waker = wakers.pop().unwrap();
            let queue = watched.queue.clone();
            race(
                move || drop(waker),
                move || {
                    handle.cancel();
                    queue.run_all();
                    if handle.is_finished() {
                        assert!(ready(&mut handle).is_err());
                    }
                },
            );
            watched.queue.run_all();
        });
    }
}

/// Fails if `JoinHandle::detach_or_cancel_orphan` does not check for an orphan after the detach, or
/// if `mark_orphaned` reads the handle bit before its step.
#[test]
fn last_waker_against_detach() {
    loom::model(|| {
        let (watched, handle, wakers) = Watched::new(OrphanAction::CancelDetached, 1);
        race(
            move || drop(wakers),
            move || handle.detach_or_cancel_orphan(),
        );
        assert_eq!(watched.count(), 1);
        // Otherwise the task would leak, which the model detects.
        watched.queue.run_all();
    });
}
