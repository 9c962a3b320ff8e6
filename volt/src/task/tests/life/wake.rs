//! Wakers, and the number of their calls of the schedule function.

use crate::task::RunOutcome;
use crate::task::tests::support::{Probe, Queue, ready};
use std::future::poll_fn;
use std::sync::atomic::Ordering::SeqCst;
use std::task::{Poll, Waker};

#[test]
fn wake_of_idle_task_schedules_once() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, ());
    let mut handle = queue.spawn(probe);
    queue.run_all();
    let waker = counts.take_waker();
    waker.wake_by_ref();
    waker.wake_by_ref();
    waker.wake();
    assert_eq!(queue.len(), 1);
    assert_eq!(queue.shared().schedules.load(SeqCst), 1);
    assert_eq!(queue.run_all(), 1);
    assert_eq!(counts.polls.get(), 2);
    ready(&mut handle).unwrap();
}

#[test]
fn wake_of_scheduled_task_adds_no_poll() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let _handle = queue.spawn(probe);
    queue.run_all();
    counts.wake_by_ref();
    counts.wake_by_ref();
    assert_eq!(queue.run_all(), 1);
    assert_eq!(counts.polls.get(), 2);
    assert_eq!(queue.shared().reschedules.load(SeqCst), 0);
}

#[test]
fn wake_of_running_task_reschedules_it() {
    let queue = Queue::new();
    let mut woken = false;
    let mut handle = queue.spawn(poll_fn(move |cx| {
        if woken {
            return Poll::Ready(());
        }
        woken = true;
        cx.waker().wake_by_ref();
        let owned = cx.waker().clone();
        owned.wake();
        Poll::Pending
    }));
    assert_eq!(queue.run_all(), 2);
    assert_eq!(queue.shared().schedules.load(SeqCst), 0);
    assert_eq!(queue.shared().reschedules.load(SeqCst), 1);
    ready(&mut handle).unwrap();
}

#[test]
fn wake_of_complete_task_does_nothing() {
    let queue = Queue::new();
    let mut handle = queue.spawn(poll_fn(|cx| Poll::Ready(cx.waker().clone())));
    queue.run_all();
    let waker = ready(&mut handle).unwrap();
    waker.wake_by_ref();
    let other = waker.clone();
    other.wake();
    waker.wake();
    assert_eq!(queue.len(), 0);
}

#[test]
fn waker_outlives_everything() {
    let queue = Queue::new();
    let watch = queue.watch();
    let mut handle = queue.spawn(poll_fn(|cx| Poll::Ready(cx.waker().clone())));
    queue.run_all();
    let waker = ready(&mut handle).unwrap();
    drop(handle);
    drop(queue);
    assert!(watch.upgrade().is_some(), "the waker keeps the task");
    waker.wake_by_ref();
    drop(waker);
    assert!(watch.upgrade().is_none());
}

#[test]
fn last_wake_by_value_frees_the_task() {
    let queue = Queue::new();
    let watch = queue.watch();
    let mut handle = queue.spawn(poll_fn(|cx| Poll::Ready(cx.waker().clone())));
    queue.run_all();
    let waker = ready(&mut handle).unwrap();
    drop((handle, queue));
    waker.wake();
    assert!(watch.upgrade().is_none());
}

#[test]
fn will_wake_compares_tasks() {
    let queue = Queue::new();
    let wakers: Vec<Waker> = (0..2)
        .map(|_| {
            let mut handle = queue.spawn(poll_fn(|cx| {
                let waker = cx.waker().clone();
                assert!(waker.will_wake(cx.waker()));
                Poll::Ready(waker)
            }));
            queue.run_all();
            ready(&mut handle).unwrap()
        })
        .collect();
    assert!(wakers[0].will_wake(&wakers[0].clone()));
    assert!(!wakers[0].will_wake(&wakers[1]));
}

#[test]
fn poll_borrows_its_waker_without_counting() {
    let queue = Queue::new();
    let (task, handle) = queue.spawn_unqueued(poll_fn(|_| Poll::<()>::Pending));
    let info = handle.task_ref();
    assert!(matches!(task.run(), RunOutcome::Idle));
    assert_eq!(info.inspect().wakers, Some(0));
}

#[test]
fn inspection_counts_live_wakers() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let handle = queue.spawn(probe);
    queue.run_all();
    let (task, abort) = (handle.task_ref(), handle.abort_handle());
    assert_eq!(task.inspect().wakers, Some(1));
    let more: Vec<_> = (0..5).map(|_| counts.take_waker_clone()).collect();
    assert_eq!(task.inspect().wakers, Some(6));
    drop((more, abort));
    counts.forget_waker();
    assert_eq!(task.inspect().wakers, Some(0));
}
