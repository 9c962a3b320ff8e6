//! Models of inspection polls: a task is polled by one thread at a time, and loses no wake.

use super::{Gate, Queue, race, ready};
use crate::loom::sync::atomic::{AtomicUsize, Ordering};
use crate::loom::sync::{Arc, Mutex};
use crate::task::{InspectionPoll, JoinHandle};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

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
            move || drop(task.poll_to_inspect()),
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
            move || drop(task.poll_to_inspect()),
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

/// Fails if the end of an inspection poll ignores a request to cancel.
#[test]
fn inspection_poll_against_cancel() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, _go, wakers) = Gate::new(1);
        let handle = spawn_idle(&queue, gate);
        let task = handle.task_ref();
        let ((), mut handle) = race(
            move || drop(task.poll_to_inspect()),
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
            move || match task.poll_to_inspect() {
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
