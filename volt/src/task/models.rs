//! Loom models of a task: all interleavings of two threads that change its state word.
//!
//! All relevant memory contains a loom `Arc`, so a leak or a double drop fails the model. Each
//! model names a change of the code that makes it fail.

use super::{
    JoinError, JoinHandle, RunOutcome, Runnable, Schedule, Shield, TaskId, new_task, shield,
};
use crate::loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use crate::loom::sync::{Arc, Mutex};
use loom::thread;
use std::collections::VecDeque;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc as StdArc;
use std::task::{Context, Poll, Wake, Waker};

#[derive(Clone)]
struct Queue(Arc<Mutex<VecDeque<Runnable>>>);

impl Queue {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(VecDeque::new())))
    }

    #[track_caller]
    fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let (task, handle) = new_task(future, self.clone(), Location::caller());
        self.push(task);
        handle
    }

    fn push(&self, task: Runnable) {
        self.0.lock().push_back(task);
    }

    fn pop(&self) -> Option<Runnable> {
        self.0.lock().pop_front()
    }

    /// Returns a function that runs one entry, for another thread.
    fn runner(&self) -> impl FnOnce() + use<> {
        let queue = self.clone();
        move || queue.run_one()
    }

    fn run_one(&self) {
        if let Some(RunOutcome::Woken(task)) = self.pop().map(Runnable::run) {
            self.push(task);
        }
    }

    fn run_all(&self) {
        while let Some(task) = self.pop() {
            if let RunOutcome::Woken(task) = task.run() {
                self.push(task);
            }
        }
    }
}

impl Schedule for Queue {
    fn schedule(&self, task: Runnable) {
        self.push(task);
    }

    fn release(&self, _: TaskId) {}
}

/// A future that is ready once `go` is set. Its first poll stores `leave` wakers.
struct Gate {
    go: Arc<AtomicBool>,
    wakers: Arc<Mutex<Vec<Waker>>>,
    leave: usize,
    output: Arc<()>,
}

impl Gate {
    fn new(leave: usize) -> (Self, Arc<AtomicBool>, Arc<Mutex<Vec<Waker>>>) {
        let go = Arc::new(AtomicBool::new(false));
        let wakers = Arc::new(Mutex::new(Vec::new()));
        let gate = Self {
            go: go.clone(),
            wakers: wakers.clone(),
            leave,
            output: Arc::new(()),
        };
        (gate, go, wakers)
    }
}

impl Future for Gate {
    type Output = Arc<()>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Arc<()>> {
        if self.go.load(Ordering::Relaxed) {
            return Poll::Ready(self.output.clone());
        }
        for _ in 0..std::mem::take(&mut self.leave) {
            self.wakers.lock().push(cx.waker().clone());
        }
        Poll::Pending
    }
}

/// A waker that counts its calls.
struct Flag(AtomicUsize);

impl Flag {
    fn new() -> (StdArc<Self>, Waker) {
        let flag = StdArc::new(Self(AtomicUsize::new(0)));
        (flag.clone(), Waker::from(flag))
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }
}

impl Wake for Flag {
    fn wake(self: StdArc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Calls both functions on new threads. The first thread of a model cannot run one of them, because
/// loom does not try interleavings in which the new thread runs before it.
fn race<A: 'static, B: 'static>(
    one: impl FnOnce() -> A + 'static,
    other: impl FnOnce() -> B + 'static,
) -> (A, B) {
    let (one, other) = (thread::spawn(one), thread::spawn(other));
    (one.join().unwrap(), other.join().unwrap())
}

fn poll<T>(handle: &mut JoinHandle<T>, waker: &Waker) -> Poll<Result<T, JoinError>> {
    Pin::new(handle).poll(&mut Context::from_waker(waker))
}

fn ready<T>(handle: &mut JoinHandle<T>) -> Result<T, JoinError> {
    match poll(handle, Waker::noop()) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the task is not complete"),
    }
}

/// Fails if `suspend` goes to IDLE though `notified` is set.
#[test]
fn wake_against_end_of_poll() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        let mut handle = queue.spawn(gate);
        queue.run_one();
        let waker = wakers.lock().pop().unwrap();
        waker.wake_by_ref();
        race(queue.runner(), move || {
            go.store(true, Ordering::Relaxed);
            waker.wake();
        });
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Fails if a wake returns without writing when it finds `notified` set.
#[test]
fn second_wake_publishes_its_writes() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        let mut handle = queue.spawn(gate);
        queue.run_one();
        let waker = wakers.lock().pop().unwrap();
        waker.wake_by_ref();
        waker.wake_by_ref();
        race(queue.runner(), move || {
            go.store(true, Ordering::Relaxed);
            waker.wake_by_ref();
        });
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Fails if `cancel` leaves an idle task idle, or `suspend` overlooks `cancelled`.
#[test]
fn cancel_against_run() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, _go, wakers) = Gate::new(1);
        let handle = queue.spawn(gate);
        let ((), mut handle) = race(queue.runner(), move || {
            handle.cancel();
            handle
        });
        queue.run_all();
        assert!(ready(&mut handle).unwrap_err().is_cancelled());
        wakers.lock().clear();
    });
}

/// Fails if `register` does not check for completion when it sets the bit, if the completing thread
/// does not check the bit, or if the handle reads the word without Acquire.
#[test]
fn join_register_against_complete() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, _wakers) = Gate::new(0);
        go.store(true, Ordering::Relaxed);
        let mut handle = queue.spawn(gate);
        let (flag, waker) = Flag::new();
        let ((), (polled, mut handle)) = race(queue.runner(), move || {
            (poll(&mut handle, &waker).map(drop), handle)
        });
        assert!(polled.is_ready() || flag.is_set());
        if polled.is_pending() {
            assert!(ready(&mut handle).is_ok());
        }
    });
}

/// Fails if `register` overwrites the waker in the slot without clearing the bit.
#[test]
fn join_waker_change_against_complete() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, _wakers) = Gate::new(0);
        go.store(true, Ordering::Relaxed);
        let mut handle = queue.spawn(gate);
        let (_first, waker) = Flag::new();
        assert!(poll(&mut handle, &waker).is_pending());
        let (second, waker) = Flag::new();
        let ((), (polled, _handle)) = race(queue.runner(), move || {
            (poll(&mut handle, &waker).map(drop), handle)
        });
        assert!(polled.is_ready() || second.is_set());
    });
}

/// Fails if the completing thread leaves the output to a handle without checking `join_interest`,
/// or if the handle leaves its waker in the slot.
#[test]
fn handle_drop_against_complete() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, _wakers) = Gate::new(0);
        go.store(true, Ordering::Relaxed);
        let mut handle = queue.spawn(gate);
        let (flag, waker) = Flag::new();
        assert!(poll(&mut handle, &waker).is_pending());
        drop(waker);
        race(queue.runner(), move || drop(handle));
        assert_eq!(StdArc::strong_count(&flag), 1);
    });
}

/// A future that never completes, and stores its shield for another thread.
struct StoresShield(Arc<Mutex<Option<Shield>>>);

impl Future for StoresShield {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        *self.0.lock() = Some(shield());
        Poll::Pending
    }
}

/// Fails if the last shield does not schedule a cancelled idle task.
#[test]
fn shield_against_cancel() {
    loom::model(|| {
        let queue = Queue::new();
        let slot = Arc::new(Mutex::new(None));
        let handle = queue.spawn(StoresShield(slot.clone()));
        queue.run_one();
        let shield = slot.lock().take();
        let ((), mut handle) = race(
            move || drop(shield),
            move || {
                handle.cancel();
                handle
            },
        );
        queue.run_all();
        assert!(ready(&mut handle).unwrap_err().is_cancelled());
    });
}

/// Fails if a claim adds no reference for the entry that becomes stale.
#[test]
fn claim_against_pop() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, _wakers) = Gate::new(0);
        go.store(true, Ordering::Relaxed);
        let handle = queue.spawn(gate);
        let ((), mut handle) = race(queue.runner(), move || {
            let _ = handle.run_inline(|| ());
            handle
        });
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Fails if `release_claim` overlooks `notified`.
#[test]
fn inspection_against_wake() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        let mut handle = queue.spawn(gate);
        queue.run_one();
        let waker = wakers.lock().pop().unwrap();
        let task = handle.task_ref();
        race(
            move || drop(task.inspect()),
            move || {
                go.store(true, Ordering::Relaxed);
                waker.wake();
            },
        );
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Fails if a pop does not clear the claim bit, or if the inspector does not check it.
#[test]
fn inspection_against_pop() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, _wakers) = Gate::new(0);
        go.store(true, Ordering::Relaxed);
        let mut handle = queue.spawn(gate);
        let task = handle.task_ref();
        race(queue.runner(), move || drop(task.inspect()));
        assert!(queue.0.lock().len() <= 1);
        queue.run_all();
        assert!(ready(&mut handle).is_ok());
    });
}

/// Fails if a permanent claim leaves the queue entry without a reference.
#[test]
fn shutdown_against_pop() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, _go, _wakers) = Gate::new(0);
        let mut handle = queue.spawn(gate);
        let task = handle.task_ref();
        race(queue.runner(), move || drop(task.shutdown()));
        queue.run_all();
        if handle.is_finished() {
            assert!(ready(&mut handle).unwrap_err().is_cancelled());
        }
    });
}

/// Fails if the drop of a reference has no Release, or the drop of the last one no Acquire.
#[test]
fn last_references_against_each_other() {
    loom::model(|| {
        let queue = Queue::new();
        let (gate, go, wakers) = Gate::new(1);
        go.store(true, Ordering::Relaxed);
        let handle = queue.spawn(gate);
        queue.run_all();
        let task = handle.task_ref();
        let other = handle.abort_handle();
        race(
            move || {
                let mut handle = handle;
                assert!(ready(&mut handle).is_ok());
            },
            move || {
                assert!(task.is_complete());
                drop(task);
                drop(other);
            },
        );
        wakers.lock().clear();
    });
}

mod inspection_polls;
mod orphans;
mod registry;
