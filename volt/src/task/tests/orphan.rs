//! Tasks that nobody can wake.

use super::support::{Flag, Probe, Queue, poll_with, ready};
use crate::task::{shielded, yield_now};
use std::future::pending;

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
fn pending_with_a_waker_somewhere_is_no_orphan() {
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
fn yielding_is_no_orphan() {
    let queue = Queue::new();
    let mut handle = queue.spawn(yield_now());
    queue.run_all();
    ready(&mut handle).unwrap();
    assert_eq!(orphans(&queue), 0);
}

#[test]
fn handles_shields_and_stale_entries_do_not_hide_an_orphan() {
    let queue = Queue::new();
    let mut handle = queue.spawn(shielded(pending::<()>()));
    let (_flag, waker) = Flag::new();
    assert!(poll_with(&mut handle, &waker).is_pending());
    let aborts: Vec<_> = (0..20).map(|_| handle.abort_handle()).collect();
    assert!(handle.run_inline().is_some());
    assert_eq!(orphans(&queue), 1);
    let info = queue.shared().orphans.lock().unwrap()[0].clone();
    assert_eq!((info.wakers, info.shield), (Some(0), 1));
    drop(aborts);
    queue.run_all();
}

#[test]
fn too_many_abort_handles_give_the_benefit_of_the_doubt() {
    let queue = Queue::new();
    let handle = queue.spawn(pending::<()>());
    let aborts: Vec<_> = (0..100).map(|_| handle.abort_handle()).collect();
    drop(aborts);
    queue.run_all();
    assert_eq!(orphans(&queue), 0);
    assert_eq!(handle.task_ref().inspect().wakers, None);
}

#[test]
fn orphan_is_cancelled_where_that_is_the_policy() {
    let queue = Queue::with_policy(true);
    let mut handle = queue.spawn(pending::<()>());
    assert_eq!(queue.run_all(), 1);
    assert_eq!(orphans(&queue), 1);
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    assert_eq!(queue.allocated(), 0);
}
