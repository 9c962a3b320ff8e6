//! Models of inspection polls: a task is polled by one thread at a time, and loses no wake.

use super::{Gate, Queue, race, ready};
use crate::loom::sync::atomic::{AtomicUsize, Ordering};
use crate::loom::sync::{Arc, Mutex};
use crate::task::{InspectionPoll, JoinHandle, OrphanPolls};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Spawns a task, and polls it once.
fn spawn_idle<F>(queue: &Queue, future: F) -> JoinHandle<F::Output>
where
    F: Future<Output: Send> + Send + 'static,
{
    let handle = queue.spawn(future);
    queue.run_one();
    handle
}

/// Fails if the end of an inspection poll does not check `notified`.
#[test]
fn inspection_poll_against_wake() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        let mut handle = spawn_idle(&queue, gate);
        let waker = wakers.lock().pop().unwrap();
        let task = handle.task_ref();
        race(
            move || drop(task.poll_to_inspect(OrphanPolls::Refused)),
            move || {
                go.store(true, Ordering::Relaxed);
                waker.wake();
            },
        );
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Fails if an inspection poll of a task that another thread has woken leaves its entry stale.
#[test]
fn inspection_poll_against_wake_and_run() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        let mut handle = spawn_idle(&queue, gate);
        let (waker, task) = (wakers.lock().pop().unwrap(), handle.task_ref());
        let run = queue.runner();
        race(
            move || drop(task.poll_to_inspect(OrphanPolls::Refused)),
            move || {
                go.store(true, Ordering::Relaxed);
                waker.wake();
                run();
            },
        );
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Races an inspection poll against a request to cancel. An orphan has lost its waker before.
fn race_poll_against_cancel(polls: OrphanPolls, is_orphan: bool) {
    loom::model(move || {
        let queue = Queue::new();
        let (gate, _go, wakers) = Gate::new(1);
        let handle = spawn_idle(&queue, gate);
        if is_orphan {
            wakers.lock().clear();
        }
        let task = handle.task_ref();
        let ((), mut handle) = race(
            move || drop(task.poll_to_inspect(polls)),
            move || {
                handle.cancel();
                handle
            },
        );
        queue.run_all();
        assert!(ready(&mut handle).unwrap_err().is_cancelled());
        wakers.lock().clear();
    });
}

/// Fails if the end of an inspection poll ignores a request to cancel.
#[test]
fn inspection_poll_against_cancel() {
    race_poll_against_cancel(OrphanPolls::Refused, false);
}

/// Fails if the poll of an orphan ignores a request to cancel.
#[test]
fn poll_of_orphan_against_cancel() {
    race_poll_against_cancel(OrphanPolls::Inert, true);
}

/// A future that stores a clone of the waker of each poll.
struct Collector(Arc<Mutex<Vec<Waker>>>);

impl Future for Collector {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.lock().push(cx.waker().clone());
        Poll::Pending
    }
}

/// Fails if the poll chooses its waker before it has claimed the task.
#[test]
fn poll_of_orphan_against_its_last_waker() {
    loom::model(|| {
        let queue = Queue::new();
        let wakers = Arc::new(Mutex::new(Vec::new()));
        let mut handle = spawn_idle(&queue, Collector(wakers.clone()));
        let (waker, task) = (wakers.lock().pop().unwrap(), handle.task_ref());
        race(
            move || drop(task.poll_to_inspect(OrphanPolls::Inert)),
            move || drop(waker),
        );
        // A vtable may have several addresses, but the data of an inert waker are null.
        let is_awake = |waker: &Waker| waker.data() != Waker::noop().data();
        let has_waker = wakers.lock().iter().any(is_awake);
        let info = handle.task_ref().inspect();
        assert_eq!(info.orphaned, !has_waker);
        assert_eq!(info.wakers, Some(u64::from(has_waker)));
        handle.cancel();
        queue.run_all();
        assert!(ready(&mut handle).is_err());
        wakers.lock().clear();
    });
}

/// A future that counts the threads in its `poll`.
struct Exclusive {
    gate: Gate,
    inside: Arc<AtomicUsize>,
}

impl Future for Exclusive {
    type Output = Arc<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Arc<()>> {
        assert_eq!(self.inside.fetch_add(1, Ordering::Relaxed), 0);
        let polled = Pin::new(&mut self.gate).poll(cx);
        self.inside.fetch_sub(1, Ordering::Relaxed);
        polled
    }
}

/// Fails if an inspection polls a task that another thread has claimed.
#[test]
fn inspection_polls_against_each_other() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        let inside = Arc::new(AtomicUsize::new(0));
        let mut handle = spawn_idle(&queue, Exclusive { gate, inside });
        let polled = Arc::new(Mutex::new(0));
        let poll = || {
            let (task, polled) = (handle.task_ref(), polled.clone());
            move || match task.poll_to_inspect(OrphanPolls::Refused) {
                InspectionPoll::Pending { polls, .. } => {
                    assert_eq!(polls, 1);
                    *polled.lock() += 1;
                }
                InspectionPoll::Refused(_) => {}
                InspectionPoll::Ended => panic!("the gate is closed"),
            }
        };
        race(poll(), poll());
        assert!(*polled.lock() >= 1);
        go.store(true, Ordering::Relaxed);
        let waker = wakers.lock().pop().unwrap();
        waker.wake();
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}
