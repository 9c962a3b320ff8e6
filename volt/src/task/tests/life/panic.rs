//! Panics in each call of user code.

use crate::task::JoinError;
use crate::task::tests::support::{Bomb, Counter, Dropped, Probe, Queue, poll_with, ready};
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Poll, Wake, Waker};

fn message(error: JoinError) -> &'static str {
    assert!(error.is_panic() && !error.is_cancelled());
    error.into_panic().downcast_ref::<&'static str>().unwrap()
}

#[test]
fn panic_in_poll_drops_the_future_and_is_the_error() {
    let queue = Queue::new();
    let dropped = Counter::default();
    let guard = Dropped(dropped.clone());
    let mut handle = queue.spawn(async move {
        let _guard = guard;
        panic!("in poll");
    });
    queue.run_all();
    assert_eq!(dropped.get(), 1);
    assert_eq!(message(ready(&mut handle).unwrap_err()), "in poll");
}

/// So a lock that the future has locked is poisoned.
#[test]
fn panicking_future_is_dropped_during_the_unwind() {
    struct RecordsPanicking(Arc<AtomicBool>);
    impl Drop for RecordsPanicking {
        fn drop(&mut self) {
            self.0.store(std::thread::panicking(), SeqCst);
        }
    }
    let (queue, panicking) = (Queue::new(), Arc::new(AtomicBool::new(false)));
    let recorder = RecordsPanicking(Arc::clone(&panicking));
    let mut handle = queue.spawn(poll_fn(move |_| -> Poll<()> {
        let _held = &recorder;
        panic!("in poll")
    }));
    queue.run_all();
    assert!(panicking.load(SeqCst));
    assert_eq!(message(ready(&mut handle).unwrap_err()), "in poll");
}

#[test]
fn first_of_two_panics_is_the_error() {
    let queue = Queue::new();
    let bombs = Counter::default();
    let bomb = Bomb(bombs.clone());
    let mut handle = queue.spawn(poll_fn(move |_| -> Poll<()> {
        let _held = &bomb;
        panic!("in poll")
    }));
    queue.run_all();
    assert_eq!(bombs.get(), 1);
    assert_eq!(message(ready(&mut handle).unwrap_err()), "in poll");
}

#[test]
fn panic_in_drop_of_ready_future_drops_the_output() {
    let queue = Queue::new();
    let (bombs, outputs) = (Counter::default(), Counter::default());
    let (bomb, count) = (Bomb(bombs.clone()), outputs.clone());
    let mut handle = queue.spawn(poll_fn(move |_| {
        let _held = &bomb;
        Poll::Ready(Dropped(count.clone()))
    }));
    queue.run_all();
    assert_eq!((bombs.get(), outputs.get()), (1, 1));
    let error = ready(&mut handle).err().unwrap();
    assert_eq!(message(error), "a bomb went off");
}

#[test]
fn panic_in_drop_of_cancelled_future_is_the_error() {
    let queue = Queue::new();
    let bomb = Bomb(Counter::default());
    let mut handle = queue.spawn(async move { drop(bomb) });
    handle.cancel();
    queue.run_all();
    assert_eq!(message(ready(&mut handle).unwrap_err()), "a bomb went off");
}

#[test]
fn panic_in_drop_of_unread_output_is_caught() {
    let queue = Queue::new();
    let bombs = Counter::default();
    let bomb = Bomb(bombs.clone());
    queue.spawn(async { bomb }).detach();
    queue.run_all();
    assert_eq!(bombs.get(), 1);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn panic_in_drop_of_output_by_handle_is_caught() {
    let queue = Queue::new();
    let bombs = Counter::default();
    let bomb = Bomb(bombs.clone());
    let handle = queue.spawn(async { bomb });
    queue.run_all();
    drop(handle);
    assert_eq!(bombs.get(), 1);
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn panic_in_drop_of_panic_payload_is_caught() {
    let queue = Queue::new();
    let bombs = Counter::default();
    let bomb = Bomb(bombs.clone());
    queue
        .spawn(async move { std::panic::panic_any(bomb) })
        .detach();
    queue.run_all();
    assert_eq!(bombs.get(), 1);
    assert_eq!(queue.allocated(), 0);
}

struct Panics;

impl Wake for Panics {
    fn wake(self: Arc<Self>) {
        panic!("in the joiner's waker");
    }
}

#[test]
fn panic_in_join_waker_is_caught() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async { 5 });
    let waker = Waker::from(Arc::new(Panics));
    assert!(poll_with(&mut handle, &waker).is_pending());
    assert_eq!(queue.run_all(), 1);
    assert_eq!(ready(&mut handle).unwrap(), 5);
}

struct BombWaker(#[expect(dead_code, reason = "the test needs its drop only")] Bomb);

impl Wake for BombWaker {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn panic_in_drop_of_join_waker_is_caught() {
    let queue = Queue::new();
    let (probe, counts) = Probe::new(0, ());
    let mut handle = queue.spawn(probe);
    let bombs = Counter::default();
    let waker = Waker::from(Arc::new(BombWaker(Bomb(bombs.clone()))));
    assert!(poll_with(&mut handle, &waker).is_pending());
    drop(waker);
    drop(handle);
    assert_eq!(bombs.get(), 1);
    queue.run_all();
    counts.forget_waker();
}

#[test]
fn cancelled_error_has_no_panic() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async {});
    let id = handle.id();
    handle.cancel();
    queue.run_all();
    let error = ready(&mut handle).unwrap_err();
    assert_eq!(error.id(), id);
    assert_eq!(error.to_string(), format!("task {id} was cancelled"));
    assert!(error.try_into_panic().unwrap_err().is_cancelled());
}

#[test]
fn error_displays_the_message_of_the_panic() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async { panic!("number {}", 7) });
    let id = handle.id();
    queue.run_all();
    let error: JoinError = ready::<crate::task::JoinHandle<()>>(&mut handle).unwrap_err();
    assert_eq!(error.to_string(), format!("task {id} panicked: number 7"));
    assert!(format!("{error:?}").contains("number 7"));
}

#[test]
fn panic_of_scheduler_in_wake_cancels_the_task() {
    struct Refuses;
    impl crate::task::Schedule for Refuses {
        fn schedule(&self, _: crate::task::Runnable) {
            panic!("the scheduler refuses the task");
        }
        fn release(&self, _: crate::task::TaskId) {}
    }
    let (probe, counts) = Probe::new(0, ());
    let here = std::panic::Location::caller();
    let (task, mut handle) = crate::task::new_task(probe, Refuses, here);
    let _ = task.run();
    let waker = counts.take_waker();
    let woken = std::panic::catch_unwind(|| waker.wake_by_ref());
    assert!(woken.is_err());
    assert_eq!(counts.drops.get(), 1);
    assert!(ready(&mut handle).unwrap_err().is_cancelled());
}

#[test]
fn nested_error_messages_stay_short() {
    let queue = Queue::new();
    let mut handle = queue.spawn(async { panic!("the \"first\"") });
    for _ in 0..16 {
        queue.run_all();
        let inner = handle;
        handle = queue.spawn(async { inner.await.unwrap() });
    }
    queue.run_all();
    let error = ready(&mut handle).unwrap_err();
    let (text, quoted) = (error.to_string(), format!("{error:?}"));
    assert!(
        text.len() < 1_500 && quoted.len() < 1_500,
        "{text}\n{quoted}"
    );
    assert!(quoted.ends_with("\"..)"), "{quoted}");
}
