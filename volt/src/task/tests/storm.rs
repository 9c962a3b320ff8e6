//! Concurrent operations of many threads on one task.

use super::support::{Counter, Dropped, Queue, ready};
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

const ROUNDS: usize = if cfg!(miri) { 8 } else { 2_000 };

/// Runs the queue until `done`.
fn run_until(queue: &Queue, done: impl Fn() -> bool) {
    while !done() {
        if queue.run_one().is_none() {
            thread::yield_now();
        }
    }
}

#[test]
fn each_wake_is_followed_by_a_poll() {
    let queue = Queue::new();
    let (wanted, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let waker = Arc::new(Mutex::new(None::<Waker>));
    let (want, saw, slot) = (wanted.clone(), seen.clone(), waker.clone());
    let handle = queue.spawn(poll_fn(move |cx| {
        slot.lock()
            .unwrap()
            .get_or_insert_with(|| cx.waker().clone());
        saw.store(want.load(Relaxed), Release);
        Poll::<()>::Pending
    }));
    queue.run_all();
    let waker = waker.lock().unwrap().clone().unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| run_until(&queue, || stop.load(SeqCst)));
        scope.spawn(|| run_until(&queue, || stop.load(SeqCst)));
        for round in 1..=ROUNDS {
            wanted.store(round, Relaxed);
            if round % 2 == 0 {
                waker.wake_by_ref();
            } else {
                let owned = waker.clone();
                owned.wake();
            }
            while seen.load(Acquire) < round {
                thread::yield_now();
            }
        }
        stop.store(true, SeqCst);
    });
    handle.cancel();
    queue.run_all();
}

#[test]
fn concurrent_wakes_cancels_and_drops_free_all() {
    for round in 0..ROUNDS / 4 {
        let queue = Queue::new();
        let drops = Counter::default();
        let guard = Dropped(drops.clone());
        let wakers = Arc::new(Mutex::new(Vec::new()));
        let given = wakers.clone();
        let mut polls = 0;
        let handle = queue.spawn(poll_fn(move |cx| {
            let _guard = &guard;
            polls += 1;
            if polls > 3 {
                return Poll::Ready(Box::new(polls));
            }
            given.lock().unwrap().push(cx.waker().clone());
            Poll::Pending
        }));
        let abort = handle.abort_handle();
        thread::scope(|scope| {
            let run = || {
                for _ in 0..6 {
                    queue.run_one();
                    thread::yield_now();
                }
            };
            scope.spawn(run);
            scope.spawn(run);
            scope.spawn(|| {
                for _ in 0..4 {
                    let waker = wakers.lock().unwrap().pop();
                    waker.into_iter().for_each(Waker::wake);
                    thread::yield_now();
                }
            });
            scope.spawn(move || drop(handle));
            if round % 2 == 0 {
                abort.cancel();
            }
        });
        abort.cancel();
        queue.run_all();
        assert_eq!(drops.get(), 1);
        wakers.lock().unwrap().clear();
        drop(abort);
        assert_eq!(queue.allocated(), 0);
    }
}

#[test]
fn result_crosses_threads_while_it_is_awaited() {
    let queue = Queue::new();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| run_until(&queue, || stop.load(SeqCst)));
        for round in 0..ROUNDS {
            let handle = queue.spawn(async move { vec![round; 3] });
            let output = futures_lite::future::block_on(handle).unwrap();
            assert_eq!(output, [round; 3]);
        }
        stop.store(true, SeqCst);
    });
    assert_eq!(queue.allocated(), 0);
}

#[test]
fn concurrent_inspection_loses_no_wake() {
    let queue = Queue::new();
    let stop = AtomicBool::new(false);
    let mut handle = queue.spawn(async {
        for _ in 0..ROUNDS {
            crate::task::yield_now().await;
        }
    });
    let task = handle.task_ref();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(SeqCst) {
                let info = task.inspect();
                assert!(info.polls as usize <= ROUNDS + 1);
                thread::yield_now();
            }
        });
        run_until(&queue, || handle.is_finished());
        stop.store(true, SeqCst);
    });
    queue.run_all();
    ready(&mut handle).unwrap();
}
