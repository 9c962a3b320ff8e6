//! A scheduler without threads that counts its calls, and futures that count theirs.

use crate::task::{
    JoinHandle, Metadata, Orphan, OrphanAction, Registry, RunOutcome, Runnable, Schedule, TaskId,
    TaskInfo, new_task,
};
use std::cell::Cell;
use std::collections::VecDeque;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Wake, Waker};

/// A queue with counts. Its drop shuts down all its tasks.
pub(super) struct Queue(Arc<Shared>);

/// The scheduler handle of a task.
struct QueueHandle(Arc<Shared>);

pub(super) struct Shared {
    tasks: Mutex<VecDeque<Runnable>>,
    registry: Registry,
    pub(super) schedules: AtomicUsize,
    pub(super) reschedules: AtomicUsize,
    pub(super) released: Mutex<Vec<TaskId>>,
    pub(super) orphans: Mutex<Vec<TaskInfo>>,
    orphan_action: OrphanAction,
}

impl Queue {
    pub(super) fn new() -> Self {
        Self::with_orphan_action(OrphanAction::Keep)
    }

    /// Creates a queue with a policy for orphans.
    pub(super) fn with_orphan_action(orphan_action: OrphanAction) -> Self {
        Self(Arc::new(Shared {
            tasks: Mutex::default(),
            registry: Registry::new(1),
            schedules: AtomicUsize::new(0),
            reschedules: AtomicUsize::new(0),
            released: Mutex::default(),
            orphans: Mutex::default(),
            orphan_action,
        }))
    }

    /// Spawns and queues a task.
    #[track_caller]
    pub(super) fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let (task, handle) = self.spawn_unqueued(future);
        self.push(task);
        handle
    }

    #[track_caller]
    pub(super) fn spawn_unqueued<F>(&self, future: F) -> (Runnable, JoinHandle<F::Output>)
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.spawn_with(future, Location::caller())
    }

    pub(super) fn spawn_with<F, M: Metadata<F>>(
        &self,
        future: F,
        metadata: M,
    ) -> (Runnable, JoinHandle<F::Output>)
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let (task, handle) = self.spawn_unregistered(future, metadata);
        self.0.registry.insert_at_shard(&task).unwrap();
        (task, handle)
    }

    pub(super) fn spawn_unregistered<F, M: Metadata<F>>(
        &self,
        future: F,
        metadata: M,
    ) -> (Runnable, JoinHandle<F::Output>)
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        new_task(future, QueueHandle(self.0.clone()), metadata)
    }

    pub(super) fn push(&self, task: Runnable) {
        self.0.push(task);
    }

    pub(super) fn pop(&self) -> Option<Runnable> {
        self.0.tasks.lock().unwrap().pop_front()
    }

    pub(super) fn len(&self) -> usize {
        self.0.tasks.lock().unwrap().len()
    }

    /// Runs one entry.
    pub(super) fn run_one(&self) -> Option<RunOutcome> {
        let outcome = self.pop()?.run();
        Some(match outcome {
            RunOutcome::Woken(task) => {
                self.0.reschedule(task);
                RunOutcome::Idle
            }
            other => other,
        })
    }

    /// Runs all entries. Returns their number.
    pub(super) fn run_all(&self) -> usize {
        let mut runs = 0;
        while self.run_one().is_some() {
            runs += 1;
        }
        runs
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.0
    }

    /// Returns a reference that expires when the queue and all its tasks are freed.
    pub(super) fn watch(&self) -> Weak<Shared> {
        Arc::downgrade(&self.0)
    }

    /// Returns the number of allocated tasks, each of which owns a reference to the queue.
    pub(super) fn allocated(&self) -> usize {
        Arc::strong_count(&self.0) - 1
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.0.registry.shutdown_all();
        while self.pop().is_some() {}
    }
}

impl Shared {
    fn push(&self, task: Runnable) {
        self.tasks.lock().unwrap().push_back(task);
    }

    fn reschedule(&self, task: Runnable) {
        self.reschedules.fetch_add(1, SeqCst);
        self.push(task);
    }
}

impl Schedule for QueueHandle {
    fn schedule(&self, task: Runnable) {
        self.0.schedules.fetch_add(1, SeqCst);
        self.0.push(task);
    }

    fn reschedule(&self, task: Runnable) {
        self.0.reschedule(task);
    }

    fn release(&self, id: TaskId) {
        if id.is_registered() {
            let _ = self.0.registry.remove_at_shard(id);
        }
        self.0.released.lock().unwrap().push(id);
    }

    fn orphaned(&self, orphan: &Orphan) {
        self.0.orphans.lock().unwrap().push(orphan.task().clone());
    }

    fn orphan_action(&self) -> OrphanAction {
        self.0.orphan_action
    }
}

/// A shared counter.
#[derive(Clone, Default)]
pub(super) struct Counter(Arc<AtomicUsize>);

impl Counter {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    pub(super) fn get(&self) -> usize {
        self.0.load(SeqCst)
    }
}

/// Counts its drop.
pub(super) struct Dropped(pub(super) Counter);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.add();
    }
}

/// Panics when dropped.
pub(super) struct Bomb(pub(super) Counter);

impl Drop for Bomb {
    fn drop(&mut self) {
        self.0.add();
        panic!("a bomb went off");
    }
}

/// A future that counts its polls and drops, and is ready at a given poll. The test has access to
/// its waker.
pub(super) struct Probe<T> {
    pub(super) counts: Counts,
    ready_at: usize,
    output: Cell<Option<T>>,
    _dropped: Dropped,
}

#[derive(Clone, Default)]
pub(super) struct Counts {
    pub(super) polls: Counter,
    pub(super) drops: Counter,
    waker: Arc<Mutex<Option<Waker>>>,
}

impl Counts {
    /// Wakes the task by the waker of the last poll, which stays stored.
    pub(super) fn wake_by_ref(&self) {
        self.waker.lock().unwrap().as_ref().unwrap().wake_by_ref();
    }

    pub(super) fn take_waker(&self) -> Waker {
        self.waker.lock().unwrap().take().unwrap()
    }

    pub(super) fn take_waker_clone(&self) -> Waker {
        self.waker.lock().unwrap().clone().unwrap()
    }

    pub(super) fn forget_waker(&self) {
        drop(self.waker.lock().unwrap().take());
    }
}

impl<T> Probe<T> {
    /// Creates a future that returns `output` at poll number `ready_at`, or never if that is 0.
    pub(super) fn new(ready_at: usize, output: T) -> (Self, Counts) {
        let counts = Counts::default();
        let probe = Self {
            ready_at,
            output: Cell::new(Some(output)),
            _dropped: Dropped(counts.drops.clone()),
            counts: counts.clone(),
        };
        (probe, counts)
    }
}

impl<T> Future for Probe<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.counts.polls.add();
        if self.counts.polls.get() == self.ready_at {
            return Poll::Ready(self.output.take().unwrap());
        }
        *self.counts.waker.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    }
}

// The future has no references into itself.
impl<T> Unpin for Probe<T> {}

/// A waker that counts its calls.
#[derive(Default)]
pub(super) struct Flag(pub(super) AtomicUsize);

impl Flag {
    pub(super) fn new() -> (Arc<Self>, Waker) {
        let flag = Arc::new(Self::default());
        (flag.clone(), Waker::from(flag))
    }

    pub(super) fn get(&self) -> usize {
        self.0.load(SeqCst)
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// Polls a future once with a waker that does nothing.
pub(super) fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    poll_with(future, Waker::noop())
}

pub(super) fn poll_with<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// Returns the output of a future that is ready.
#[track_caller]
pub(super) fn ready<F: Future + Unpin>(future: &mut F) -> F::Output {
    match poll_once(future) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("not ready"),
    }
}
