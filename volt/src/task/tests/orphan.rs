//! Orphaned tasks: detection, reports and policies.

use super::support::{Counts, Flag, Probe, Queue, poll_with, ready};
use crate::task::{JoinHandle, Lifecycle, OrphanAction, canceller, shielded, yield_now};
use std::future::{pending, poll_fn};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

fn orphans(queue: &Queue) -> usize {
    queue.shared().orphans.lock().unwrap().len()
}

#[test]
fn pending_without_waker_is_reported_once() {
    let queue = Queue::new();
    let handle = queue.spawn(pending::<()>());
    queue.run_all();
    let info = queue.shared().orphans.lock().unwrap()[0].clone();
    assert_eq!(info.id, handle.id());
    assert_eq!(info.location.file(), file!());
    assert!(handle.task_ref().inspect().orphaned);
    handle.cancel();
    queue.run_all();
    assert_eq!(orphans(&queue), 1);
}

#[test]
fn pending_task_with_a_waker_is_not_an_orphan() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let _handle = queue.spawn(probe);
    queue.run_all();
    assert_eq!(orphans(&queue), 0);
    counts.wake_by_ref();
    queue.run_all();
    assert_eq!(orphans(&queue), 0);
}

#[test]
fn yielding_task_is_not_an_orphan() {
    let queue = Queue::new();
    let mut handle = queue.spawn(yield_now());
    queue.run_all();
    ready(&mut handle).unwrap();
    assert_eq!(orphans(&queue), 0);
}

#[test]
fn orphan_with_handles_and_shields_is_reported() {
    let queue = Queue::new();
    let mut handle = queue.spawn(shielded(pending::<()>()));
    let (_flag, waker) = Flag::new();
    assert!(poll_with(&mut handle, &waker).is_pending());
    let aborts: Vec<_> = (0..20).map(|_| handle.abort_handle()).collect();
    assert!(handle.run_inline(|| ()).is_some());
    assert_eq!(orphans(&queue), 1);
    let info = queue.shared().orphans.lock().unwrap()[0].clone();
    assert_eq!((info.wakers, info.shield), (Some(0), 1));
    drop(aborts);
    queue.run_all();
}

#[test]
fn too_many_abort_handles_disable_orphan_reports() {
    let queue = Queue::new();
    let handle = queue.spawn(pending::<()>());
    let aborts: Vec<_> = (0..100).map(|_| handle.abort_handle()).collect();
    drop(aborts);
    queue.run_all();
    assert_eq!(orphans(&queue), 0);
    assert_eq!(handle.task_ref().inspect().wakers, None);
}

/// Spawns a task that waits with one waker.
fn waiting(queue: &Queue) -> (JoinHandle<()>, Counts) {
    let (probe, counts) = Probe::new(0, ());
    let handle = queue.spawn(probe);
    queue.run_all();
    assert_eq!(orphans(queue), 0);
    (handle, counts)
}

#[test]
fn drop_of_the_last_waker_is_reported_once() {
    let queue = Queue::new();
    let (handle, counts) = waiting(&queue);
    let second = counts.take_waker_clone();
    counts.forget_waker();
    assert_eq!(orphans(&queue), 0, "another waker exists");
    drop(second);
    assert_eq!(orphans(&queue), 1);
    let info = queue.shared().orphans.lock().unwrap()[0].clone();
    assert_eq!((info.id, info.orphaned), (handle.id(), true));
    assert_eq!(info.lifecycle, Lifecycle::Idle);
    assert_eq!((queue.len(), handle.is_finished()), (0, false));
}

#[test]
fn drop_of_last_waker_of_detached_task_is_reported() {
    let queue = Queue::new();
    let (handle, counts) = waiting(&queue);
    drop(handle);
    counts.forget_waker();
    assert_eq!(orphans(&queue), 1);
}

#[test]
fn queued_task_without_wakers_is_not_an_orphan() {
    let queue = Queue::new();
    let (mut handle, counts) = waiting(&queue);
    counts.wake_by_ref();
    counts.forget_waker();
    assert_eq!(orphans(&queue), 0);
    handle.cancel();
    queue.run_all();
    assert!(!ready(&mut handle).unwrap_err().is_orphaned());
    assert_eq!(orphans(&queue), 0);
}

#[test]
fn complete_task_without_wakers_is_not_an_orphan() {
    let queue = Queue::new();
    let (handle, counts) = waiting(&queue);
    handle.cancel();
    queue.run_all();
    assert!(handle.is_finished());
    counts.forget_waker();
    assert_eq!(orphans(&queue), 0);
    drop(handle);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn cancel_policy_cancels_an_orphan() {
    let queue = Queue::with_orphan_action(OrphanAction::Cancel);
    let mut handle = queue.spawn(pending::<()>());
    assert_eq!(queue.run_all(), 1);
    assert_eq!(orphans(&queue), 1);
    let error = ready(&mut handle).unwrap_err();
    assert!(error.is_cancelled() && error.is_orphaned());
    assert!(error.to_string().ends_with("it had no waker left"));
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn drop_of_last_waker_queues_the_task_to_end() {
    let queue = Queue::with_orphan_action(OrphanAction::Cancel);
    let (mut handle, counts) = waiting(&queue);
    counts.forget_waker();
    assert_eq!((orphans(&queue), queue.len()), (1, 1));
    assert_eq!(
        counts.drops.get(),
        0,
        "the drop of a waker runs no destructor of the future"
    );
    queue.run_all();
    assert_eq!((counts.polls.get(), counts.drops.get()), (1, 1));
    assert!(ready(&mut handle).unwrap_err().is_orphaned());
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn shield_does_not_keep_an_orphan() {
    let queue = Queue::with_orphan_action(OrphanAction::Cancel);
    let (probe, counts) = Probe::new(0, ());
    let mut handle = queue.spawn(shielded(probe));
    queue.run_all();
    counts.forget_waker();
    queue.run_all();
    assert!(ready(&mut handle).unwrap_err().is_orphaned());
    let mut handle = queue.spawn(shielded(pending::<()>()));
    queue.run_all();
    assert!(ready(&mut handle).unwrap_err().is_orphaned());
}

#[test]
fn panic_policy_ends_an_orphan_with_a_panic() {
    let queue = Queue::with_orphan_action(OrphanAction::Panic);
    let (mut handle, counts) = waiting(&queue);
    counts.forget_waker();
    queue.run_all();
    let error = ready(&mut handle).unwrap_err();
    assert!(error.is_panic() && !error.is_cancelled());
    assert!(error.to_string().contains("and has no waker left"));
    assert_eq!(counts.drops.get(), 1);
    let mut other = queue.spawn(yield_now());
    queue.run_all();
    ready(&mut other).unwrap();
}

#[test]
fn canceller_is_not_counted_as_a_waker() {
    let queue = Queue::new();
    let kept = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&kept);
    let waits = poll_fn(move |cx| {
        *keep.lock().unwrap() = canceller(cx.waker());
        Poll::<()>::Pending
    });
    let mut handle = queue.spawn(waits);
    queue.run_all();
    assert_eq!(orphans(&queue), 1);
    let first = kept
        .lock()
        .unwrap()
        .take()
        .expect("the waker is one of a task");
    let second = first.clone();
    first.wake_by_ref();
    assert_eq!(queue.run_all(), 1);
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    drop(first);
    drop(handle);
    assert_eq!(queue.allocated(), 1);
    second.wake();
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn foreign_waker_has_no_canceller() {
    assert!(canceller(Waker::noop()).is_none());
}
