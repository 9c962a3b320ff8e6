//! Cancellation in each state of the life cycle.

use crate::task::tests::support::{Counter, Dropped, Flag, Probe, Queue, poll_with, ready};
use std::future::poll_fn;
use std::sync::atomic::Ordering::SeqCst;
use std::task::Poll;

#[test]
fn cancel_before_first_poll_drops_future() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, ());
    let mut handle = queue.spawn(probe);
    handle.cancel();
    assert_eq!(queue.len(), 1, "the task was already queued");
    queue.run_all();
    assert_eq!((counts.polls.get(), counts.drops.get()), (0, 1));
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

#[test]
fn cancel_of_idle_task_queues_and_completes_it() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let mut handle = queue.spawn(probe);
    queue.run_all();
    handle.cancel();
    handle.cancel();
    assert_eq!(queue.shared().schedules.load(SeqCst), 1);
    queue.run_all();
    assert_eq!((counts.polls.get(), counts.drops.get()), (1, 1));
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

#[test]
fn cancel_wakes_the_joiner() {
    let queue = Queue::new();
    let mut handle = queue.spawn(std::future::pending::<()>());
    let (flag, waker) = Flag::new();
    assert!(poll_with(&mut handle, &waker).is_pending());
    handle.cancel();
    assert_eq!(flag.get(), 0);
    queue.run_all();
    assert_eq!(flag.get(), 1);
}

/// Spawns a task whose poll cancels the task, then returns `then`.
fn cancels_itself(queue: &Queue, then: Poll<u8>) -> crate::task::JoinHandle<u8> {
    let slot = std::sync::Arc::new(std::sync::Mutex::new(None::<crate::task::AbortHandle>));
    let abort = slot.clone();
    let handle = queue.spawn(poll_fn(move |_| {
        abort.lock().unwrap().take().unwrap().cancel();
        then
    }));
    *slot.lock().unwrap() = Some(handle.abort_handle());
    handle
}

#[test]
fn cancel_of_running_task_stops_it_at_its_next_await() {
    let queue = Queue::new();
    let mut handle = cancels_itself(&queue, Poll::Pending);
    assert_eq!(queue.run_all(), 1);
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

#[test]
fn cancel_during_last_poll_keeps_the_output() {
    let queue = Queue::new();
    let mut handle = cancels_itself(&queue, Poll::Ready(9));
    queue.run_all();
    assert_eq!(ready(&mut handle).unwrap(), 9);
}

#[test]
fn cancel_of_complete_task_leaves_the_output() {
    let queue = Queue::new();
    let dropped = Counter::default();
    let output = Dropped(dropped.clone());
    let mut handle = queue.spawn(async { output });
    queue.run_all();
    handle.cancel();
    assert_eq!(queue.len(), 0);
    assert!(ready(&mut handle).is_ok());
    assert_eq!(dropped.get(), 1);
}

#[test]
fn cancelled_task_can_still_be_woken() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let mut handle = queue.spawn(probe);
    queue.run_all();
    handle.cancel();
    counts.wake_by_ref();
    assert_eq!(queue.len(), 1);
    queue.run_all();
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    counts.forget_waker();
}

#[test]
fn abort_handles_cancel_after_the_handle_is_gone() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let handle = queue.spawn(probe);
    queue.run_all();
    let abort = handle.abort_handle();
    let other = abort.clone();
    handle.detach();
    assert!(!abort.is_finished());
    other.cancel();
    queue.run_all();
    assert_eq!(counts.drops.get(), 1);
    assert!(abort.is_finished());
    counts.forget_waker();
}

#[test]
fn abort_handle_made_after_the_result_is_finished() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    queue.run_all();
    ready(&mut handle).unwrap();
    let abort = handle.abort_handle();
    abort.cancel();
    assert!(abort.is_finished());
    assert_eq!(abort.id(), handle.id());
}

#[test]
fn dropped_runnable_cancels_its_task() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(1, ());
    let (task, mut handle) = queue.spawn_unqueued(probe);
    drop(task);
    assert_eq!((counts.polls.get(), counts.drops.get()), (0, 1));
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

#[test]
fn shutdown_of_runnable_releases_and_wakes_joiner() {
    let queue = Queue::new();
    let (task, mut handle) = queue.spawn_unqueued(async {});
    let (flag, waker) = Flag::new();
    assert!(poll_with(&mut handle, &waker).is_pending());
    task.shutdown();
    assert_eq!(flag.get(), 1);
    assert_eq!(*queue.shared().released.lock().unwrap(), [handle.id()]);
}

#[test]
fn shutdown_stops_idle_and_queued_tasks_at_once() {
    let queue = Queue::new();
    let (idle, idle_counts) = Probe::new(0, ());
    let mut idle = queue.spawn(idle);
    queue.run_all();
    let (queued, queued_counts) = Probe::new(0, ());
    let mut queued = queue.spawn(queued);
    assert!(idle.task_ref().shutdown());
    assert!(queued.task_ref().shutdown());
    assert_eq!((idle_counts.drops.get(), queued_counts.drops.get()), (1, 1));
    assert!(ready(&mut idle).unwrap_err().is_cancelled());
    assert!(ready(&mut queued).unwrap_err().is_cancelled());
    assert!(matches!(
        queue.run_one(),
        Some(crate::task::RunOutcome::Stale)
    ));
    idle_counts.forget_waker();
    assert_eq!(queue.allocated(), 0);
}
