//! Shields, with and without cancellation.

use crate::task::tests::support::{Probe, Queue, ready};
use crate::task::{Shield, shield, shielded, yield_now};
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::Poll;

#[test]
fn cancelled_task_stops_after_its_shielded_section() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, ());
    let (after, after_counts) = Probe::new(0, ());
    let mut handle = queue.spawn(async {
        shielded(probe).await;
        after.await;
    });
    queue.run_all();
    handle.cancel();
    assert_eq!(queue.len(), 0, "the shield delays the cancellation");
    counts.wake_by_ref();
    queue.run_all();
    assert_eq!(counts.polls.get(), 2);
    assert_eq!((after_counts.polls.get(), after_counts.drops.get()), (1, 1));
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

#[test]
fn shielded_queued_task_is_polled_after_cancel() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(2, ());
    let mut handle = queue.spawn(shielded(probe));
    queue.run_all();
    counts.wake_by_ref();
    handle.cancel();
    queue.run_all();
    assert!(
        ready(&mut handle).is_ok(),
        "the task completes under its shield"
    );
}

#[test]
fn shields_nest() {
    let queue = Queue::new();
    let reached = Arc::new(Mutex::new(0));
    let log = reached.clone();
    let mut handle = queue.spawn(async move {
        let outer = shield();
        let inner = shield();
        yield_now().await;
        drop(outer);
        *log.lock().unwrap() = 1;
        yield_now().await;
        drop(inner);
        *log.lock().unwrap() = 2;
        yield_now().await;
        *log.lock().unwrap() = 3;
    });
    queue.run_one();
    handle.cancel();
    queue.run_all();
    assert_eq!(*reached.lock().unwrap(), 2);
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

/// Spawns a task that waits, and returns its shield.
fn waiting_with_shield(queue: &Queue) -> (crate::task::JoinHandle<()>, Shield) {
    let slot = Arc::new(Mutex::new(None));
    let given = slot.clone();
    let handle = queue.spawn(poll_fn(move |_| {
        *given.lock().unwrap() = Some(shield());
        Poll::<()>::Pending
    }));
    queue.run_all();
    let shield = slot.lock().unwrap().take().unwrap();
    (handle, shield)
}

#[test]
fn last_shield_of_cancelled_idle_task_schedules_it() {
    let queue = Queue::new();
    let (mut handle, shield) = waiting_with_shield(&queue);
    handle.cancel();
    assert_eq!(queue.len(), 0);
    assert_eq!(handle.task_ref().inspect().shield, 1);
    drop(shield);
    assert_eq!(queue.len(), 1);
    queue.run_all();
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn shield_of_a_task_not_cancelled_schedules_nothing() {
    let queue = Queue::new();
    let (handle, shield) = waiting_with_shield(&queue);
    drop(shield);
    assert_eq!(queue.len(), 0);
    handle.cancel();
    assert_eq!(queue.len(), 1);
    queue.run_all();
}

#[test]
fn shield_outlives_its_task() {
    let queue = Queue::new();
    let watch = queue.watch();
    let mut handle = queue.spawn(async { shield() });
    queue.run_all();
    let shield = ready(&mut handle).unwrap();
    drop((handle, queue));
    assert!(format!("{shield:?}").contains("TaskId"));
    drop(shield);
    assert!(watch.upgrade().is_none());
}

#[test]
fn shield_outside_of_tasks_does_nothing() {
    assert_eq!(format!("{:?}", shield()), "Shield(None)");
}

#[test]
fn shield_does_not_hold_off_shutdown() {
    let queue = Queue::new();
    let (mut handle, shield) = waiting_with_shield(&queue);
    assert!(handle.task_ref().shutdown());
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
    drop(shield);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn shield_over_the_limit_panics() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {
        let shields: Vec<_> = (0..u16::MAX).map(|_| shield()).collect();
        let one_more = std::panic::catch_unwind(shield).is_err();
        drop(shields);
        one_more
    });
    queue.run_all();
    assert!(ready(&mut handle).unwrap());
}

#[test]
fn dropped_shielded_future_drops_its_shield() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {
        let mut section = Box::pin(shielded(std::future::pending::<()>()));
        poll_fn(|cx| {
            assert!(section.as_mut().poll(cx).is_pending());
            Poll::Ready(())
        })
        .await;
        drop(section);
        std::future::pending::<()>().await;
    });
    queue.run_all();
    handle.cancel();
    queue.run_all();
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}
