//! The handle in each state of the task.

use super::support::{Counter, Dropped, Flag, Probe, Queue, poll_with, ready};
use crate::task::{JoinHandle, Lifecycle, RunOutcome, yield_now};
use std::sync::Arc;

#[test]
fn joiner_is_woken_once() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, 4);
    let mut handle = queue.spawn(probe);
    let (flag, waker) = Flag::new();
    for _ in 0..3 {
        assert!(poll_with(&mut handle, &waker).is_pending());
    }
    queue.run_all();
    assert_eq!(flag.get(), 0);
    counts.take_waker().wake();
    queue.run_all();
    assert_eq!(flag.get(), 1);
    assert_eq!(ready(&mut handle).unwrap(), 4);
    assert_eq!(Arc::strong_count(&flag), 2, "`flag` and `waker`");
}

#[test]
fn replaced_join_waker_is_not_woken() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    let (first, one) = Flag::new();
    let (second, two) = Flag::new();
    assert!(poll_with(&mut handle, &one).is_pending());
    assert!(poll_with(&mut handle, &two).is_pending());
    assert_eq!(
        Arc::strong_count(&first),
        2,
        "the slot has dropped the first waker"
    );
    queue.run_all();
    assert_eq!((first.get(), second.get()), (0, 1));
}

#[test]
fn handle_with_waker_dropped_drops_the_waker() {
    let queue = Queue::new();
    let mut handle = queue.spawn(std::future::pending::<()>());
    let (flag, waker) = Flag::new();
    assert!(poll_with(&mut handle, &waker).is_pending());
    drop(waker);
    drop(handle);
    assert_eq!(Arc::strong_count(&flag), 1);
    queue.run_all();
}

#[test]
fn handle_dropped_before_run_detaches() {
    let queue = Queue::new();
    let (future, output) = (Counter::default(), Counter::default());
    let (a, b) = (Dropped(future.clone()), Dropped(output.clone()));
    let handle = queue.spawn(async move {
        let _a = a;
        b
    });
    drop(handle);
    assert_eq!(queue.run_all(), 1);
    assert_eq!((future.get(), output.get()), (1, 1));
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn handle_dropped_while_idle_detaches() {
    let queue = Queue::new();
    let output = Counter::default();
    let (probe, counts) = Probe::new(2, Dropped(output.clone()));
    let handle = queue.spawn(probe);
    queue.run_all();
    drop(handle);
    assert_eq!(counts.drops.get(), 0);
    counts.take_waker().wake();
    queue.run_all();
    assert_eq!((counts.drops.get(), output.get()), (1, 1));
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn handle_dropped_while_running_detaches() {
    let queue = Queue::new();
    let output = Counter::default();
    let slot = Arc::new(std::sync::Mutex::new(None::<JoinHandle<Dropped>>));
    let (own, made) = (slot.clone(), Dropped(output.clone()));
    let handle = queue.spawn(async move {
        drop(own.lock().unwrap().take());
        made
    });
    *slot.lock().unwrap() = Some(handle);
    queue.run_all();
    assert_eq!(output.get(), 1);
    drop(slot);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn handle_dropped_after_complete_drops_the_output() {
    let queue = Queue::new();
    let output = Counter::default();
    let made = Dropped(output.clone());
    let handle = queue.spawn(async { made });
    queue.run_all();
    assert_eq!(output.get(), 0);
    drop(handle);
    assert_eq!(output.get(), 1);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn taken_output_is_dropped_once() {
    let queue = Queue::new();
    let output = Counter::default();
    let made = Dropped(output.clone());
    let mut handle = queue.spawn(async { made });
    queue.run_all();
    let taken = ready(&mut handle);
    drop(handle);
    assert_eq!(output.get(), 0);
    drop(taken);
    assert_eq!(output.get(), 1);
}

#[test]
fn task_is_freed_when_its_result_is_taken() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    queue.run_all();
    assert_eq!(queue.allocated(), 1);
    ready(&mut handle).unwrap();
    assert_eq!(queue.allocated(), 0);
    assert!(handle.is_finished());
    assert!(format!("{handle:?}").contains("finished: true"));
}

#[test]
fn task_awaits_another() {
    let queue = Queue::new();
    let inner = queue.spawn(async {
        yield_now().await;
        6
    });
    let mut outer = queue.spawn(async { inner.await.unwrap() * 7 });
    queue.run_all();
    assert_eq!(ready(&mut outer).unwrap(), 42);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn inline_run_leaves_a_stale_entry() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async { 3 });
    assert!(matches!(
        handle.run_inline(|| ()),
        Some(RunOutcome::Complete)
    ));
    assert_eq!(ready(&mut handle).unwrap(), 3);
    assert_eq!(queue.allocated(), 1, "the stale entry keeps the memory");
    assert!(matches!(queue.run_one(), Some(RunOutcome::Stale)));
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn wake_before_pop_of_stale_entry_is_served() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(3, ());
    let mut handle = queue.spawn(probe);
    assert!(matches!(handle.run_inline(|| ()), Some(RunOutcome::Idle)));
    assert!(handle.run_inline(|| ()).is_none(), "the task is idle");
    counts.wake_by_ref();
    assert_eq!(queue.len(), 2);
    assert!(matches!(queue.run_one(), Some(RunOutcome::Idle)));
    assert!(matches!(queue.run_one(), Some(RunOutcome::Stale)));
    counts.take_waker().wake();
    queue.run_all();
    assert_eq!(counts.polls.get(), 3);
    ready(&mut handle).unwrap();
}

#[test]
fn inline_run_of_cancelled_task_drops_it() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, ());
    let mut handle = queue.spawn(probe);
    handle.cancel();
    assert!(matches!(
        handle.run_inline(|| ()),
        Some(RunOutcome::Cancelled)
    ));
    assert_eq!((counts.polls.get(), counts.drops.get()), (0, 1));
    assert!(handle.run_inline(|| ()).is_none());
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    queue.run_all();
}

#[test]
fn inspection_reports_lifecycle_and_loses_no_wake() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, ());
    let mut handle = queue.spawn(probe);
    let task = handle.task_ref();
    assert_eq!(task.inspect().lifecycle, Lifecycle::Scheduled);
    assert_eq!(queue.run_all(), 1, "the inspection adds no entry");
    let info = task.inspect();
    assert_eq!((info.lifecycle, info.polls), (Lifecycle::Idle, 1));
    assert_eq!(queue.len(), 0);
    counts.take_waker().wake();
    queue.run_all();
    assert_eq!(task.inspect().lifecycle, Lifecycle::Complete);
    ready(&mut handle).unwrap();
    assert_eq!(counts.polls.get(), 2);
}

#[test]
fn handle_can_be_sent_and_shared() {
    fn check<T: Send + Sync + Unpin>() {}
    check::<JoinHandle<std::cell::Cell<u8>>>();
    check::<crate::task::AbortHandle>();
    check::<crate::task::JoinError>();
    check::<crate::task::Shield>();
}

/// A waker that records the task in which it is called.
struct RecordsTask(std::sync::Mutex<Vec<Option<crate::task::TaskId>>>);

impl std::task::Wake for RecordsTask {
    fn wake(self: Arc<Self>) {
        self.0.lock().unwrap().push(crate::task::id());
    }
}

#[test]
fn joiners_waker_is_woken_outside_of_the_task() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    let recorder = Arc::new(RecordsTask(Default::default()));
    assert!(poll_with(&mut handle, &recorder.clone().into()).is_pending());
    queue.run_all();
    assert_eq!(*recorder.0.lock().unwrap(), [None]);
}
