//! Inspection polls of tasks.

use crate::task::tests::support::{Flag, Probe, Queue, poll_with, ready};
use crate::task::{
    InspectionPoll, JoinHandle, Lifecycle, OrphanPolls, PollRefusal, shielded, yield_now,
};
use std::future::{pending, poll_fn};
use std::task::{Poll, Waker};

/// Polls the task of a handle to inspect it.
fn inspect<T>(handle: &JoinHandle<T>) -> InspectionPoll {
    handle.task_ref().poll_to_inspect(OrphanPolls::Refused)
}

/// Returns the number of clones of the waker in an inspection poll.
#[track_caller]
fn clones<T>(handle: &JoinHandle<T>) -> usize {
    match inspect(handle) {
        InspectionPoll::Pending { traces, clones, .. } => {
            assert_eq!(traces.len(), clones);
            assert!(traces.iter().all(|trace| !trace.addresses().is_empty()));
            clones
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refusal<T>(handle: &JoinHandle<T>) -> PollRefusal {
    match inspect(handle) {
        InspectionPoll::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn idle_task_is_polled_and_counts_as_before() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(4, ());
    let mut handle = queue.spawn(probe);
    queue.run_all();
    let before = handle.task_ref().inspect();
    assert_eq!(clones(&handle), 1);
    assert_eq!(clones(&handle), 1);
    let after = handle.task_ref().inspect();
    assert_eq!(counts.polls.get(), 3);
    assert_eq!((after.polls, after.since), (1, before.since));
    assert_eq!((after.wakers, after.lifecycle), (Some(1), Lifecycle::Idle));
    counts.wake_by_ref();
    assert_eq!(queue.run_all(), 1);
    ready(&mut handle).unwrap();
    assert_eq!(counts.drops.get(), 1);
}

#[test]
fn stored_waker_of_an_inspection_poll_is_ordinary() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let handle = queue.spawn(probe);
    queue.run_all();
    let ordinary = counts.take_waker();
    assert_eq!(clones(&handle), 1);
    assert!(counts.take_waker().will_wake(&ordinary));
}

#[test]
fn wake_during_an_inspection_poll_reschedules() {
    let queue = Queue::new();
    let (mut polls, mut kept) = (0, None);
    let mut handle = queue.spawn(poll_fn(move |cx| {
        polls += 1;
        match polls {
            1 => kept = Some(cx.waker().clone()),
            2 => cx.waker().wake_by_ref(),
            _ => return Poll::Ready(kept.take().is_some()),
        }
        Poll::Pending
    }));
    queue.run_all();
    assert_eq!(clones(&handle), 0);
    assert_eq!(queue.len(), 1);
    assert_eq!(queue.run_all(), 1);
    assert!(ready(&mut handle).unwrap());
    assert_eq!(queue.len(), 0);
}

#[test]
fn ready_task_ends_in_the_inspection_poll() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, 7);
    let mut handle = queue.spawn(probe);
    queue.run_all();
    let (flag, waker) = Flag::new();
    assert!(poll_with(&mut handle, &waker).is_pending());
    assert!(matches!(inspect(&handle), InspectionPoll::Ended));
    assert_eq!(flag.get(), 1);
    assert_eq!(ready(&mut handle).unwrap(), 7);
    assert_eq!(counts.drops.get(), 1);
    // The waker of the first poll is left.
    counts.forget_waker();
    drop(handle);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn panic_in_the_inspection_poll_ends_the_task() {
    let queue = Queue::new();
    let mut kept = None;
    let mut handle = queue.spawn(poll_fn(move |cx| -> Poll<()> {
        assert!(kept.is_none(), "the second poll panics");
        kept = Some(cx.waker().clone());
        Poll::Pending
    }));
    queue.run_all();
    assert!(matches!(inspect(&handle), InspectionPoll::Ended));
    assert!(ready(&mut handle).unwrap_err().is_panic());
}

#[test]
fn queued_and_complete_tasks_are_refused() {
    let queue = Queue::new();
    let mut handle = queue.spawn(yield_now());
    assert_eq!(refusal(&handle), PollRefusal::Queued);
    queue.run_all();
    assert_eq!(refusal(&handle), PollRefusal::Complete);
    ready(&mut handle).unwrap();
}

#[test]
fn orphan_is_refused_and_stays_one() {
    let queue = Queue::new();
    let handle = queue.spawn(pending::<()>());
    queue.run_all();
    assert_eq!(queue.shared().orphans.lock().unwrap().len(), 1);
    assert_eq!(refusal(&handle), PollRefusal::Orphaned);
    assert!(handle.task_ref().inspect().orphaned);
}

/// Polls an orphan to inspect it. Returns the number of clones of the waker.
#[track_caller]
fn clones_of_orphan<T>(handle: &JoinHandle<T>) -> usize {
    match handle.task_ref().poll_to_inspect(OrphanPolls::Inert) {
        InspectionPoll::Pending { clones, .. } => clones,
        other => panic!("{other:?}"),
    }
}

#[test]
fn polled_orphan_stays_one() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(5, 7);
    let mut handle = queue.spawn(probe);
    queue.run_all();
    drop(counts.take_waker());
    let before = handle.task_ref().inspect();
    assert!(before.orphaned);
    for _ in 0..2 {
        assert_eq!(clones_of_orphan(&handle), 1);
        let waker = counts.take_waker();
        assert!(waker.will_wake(Waker::noop()));
        waker.wake();
    }
    let after = handle.task_ref().inspect();
    assert_eq!((after.orphaned, after.wakers), (true, Some(0)));
    assert_eq!((after.polls, after.since), (before.polls, before.since));
    assert_eq!((queue.len(), after.lifecycle), (0, Lifecycle::Idle));
    assert_eq!(queue.shared().orphans.lock().unwrap().len(), 1);
    handle.cancel();
    queue.run_all();
    assert!(ready(&mut handle).is_err());
    assert_eq!(counts.drops.get(), 1);
}

#[test]
fn self_waking_orphan_is_not_queued() {
    let (queue, mut polls) = (Queue::new(), 0);
    let handle = queue.spawn(poll_fn(move |cx| -> Poll<()> {
        polls += 1;
        if polls > 1 {
            cx.waker().wake_by_ref();
            drop(cx.waker().clone());
        }
        Poll::Pending
    }));
    queue.run_all();
    assert!(handle.task_ref().inspect().orphaned);
    assert_eq!(clones_of_orphan(&handle), 1);
    assert_eq!(queue.len(), 0);
    assert!(handle.task_ref().inspect().orphaned);
}

#[test]
fn orphan_with_an_ended_event_ends() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, 7);
    let mut handle = queue.spawn(probe);
    queue.run_all();
    drop(counts.take_waker());
    let poll = handle.task_ref().poll_to_inspect(OrphanPolls::Inert);
    assert!(matches!(poll, InspectionPoll::Ended));
    assert_eq!(ready(&mut handle).unwrap(), 7);
    counts.forget_waker();
    drop(handle);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn task_with_a_waker_gets_an_ordinary_one() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let handle = queue.spawn(probe);
    queue.run_all();
    let ordinary = counts.take_waker();
    assert_eq!(clones_of_orphan(&handle), 1);
    assert!(counts.take_waker().will_wake(&ordinary));
}

#[test]
fn poll_drops_the_last_waker_and_leaves_an_orphan() {
    let queue = Queue::new();
    let mut kept = None;
    let handle = queue.spawn(poll_fn(move |cx| -> Poll<()> {
        kept = match kept {
            None => Some(cx.waker().clone()),
            Some(_) => None,
        };
        Poll::Pending
    }));
    queue.run_all();
    assert_eq!(clones(&handle), 0);
    assert_eq!(queue.shared().orphans.lock().unwrap().len(), 1);
    assert!(handle.task_ref().inspect().orphaned);
}

#[test]
fn cancel_after_an_inspection_poll_drops_the_future() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let handle = queue.spawn(shielded(probe));
    queue.run_all();
    handle.cancel();
    assert_eq!(clones(&handle), 1);
    let task = handle.task_ref().inspect();
    assert!(task.cancelled && task.shield == 1);
    drop(handle);
    drop(queue);
    assert_eq!(counts.drops.get(), 1);
}

#[test]
fn cancel_in_the_inspection_poll_stops_the_task() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let mut probe = Box::pin(probe);
    let (sender, receiver) = std::sync::mpsc::channel::<crate::task::AbortHandle>();
    let mut polled = false;
    let mut handle = queue.spawn(poll_fn(move |cx| {
        if polled && let Ok(abort) = receiver.recv() {
            abort.cancel();
        }
        polled = true;
        probe.as_mut().poll(cx)
    }));
    queue.run_all();
    sender.send(handle.abort_handle()).unwrap();
    assert!(matches!(inspect(&handle), InspectionPoll::Ended));
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    assert_eq!(counts.drops.get(), 1);
}
