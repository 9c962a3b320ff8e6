//! Paused clocks of whole runtimes.

use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::{advance, pause, resume};
use crate::runtime::{Builder, Runtime, spawn, spawn_blocking};
use crate::task::yield_now;
use crate::time::{now, sleep, timeout};

const HOUR: Duration = Duration::from_secs(3_600);

fn paused(workers: usize) -> Runtime {
    let builder = Builder::new().worker_threads(workers).start_paused(true);
    builder.build().expect("a runtime")
}

/// Runs a test on paused runtimes of several sizes. A test that waits for real time fails.
fn on_each<F: Future>(test: impl Fn() -> F) {
    for workers in [1, 2, 5] {
        let start = Instant::now();
        paused(workers).block_on(test());
        assert!(start.elapsed() < Duration::from_secs(30), "the test waited");
    }
}

#[test]
fn paused_sleep_advances_the_clock_at_once() {
    on_each(async || {
        let start = now();
        sleep(HOUR).await;
        assert_eq!(now(), start + HOUR);
        spawn(sleep(HOUR)).await.expect("it ends");
        assert_eq!(now(), start + 2 * HOUR);
    });
}

#[test]
fn tasks_wake_in_the_order_of_their_deadlines() {
    on_each(async || {
        let start = now();
        let log = Arc::new(Mutex::new(Vec::new()));
        let tasks: Vec<_> = [5_u32, 3, 9, 1, 7]
            .into_iter()
            .map(|hours| {
                let log = Arc::clone(&log);
                spawn(async move {
                    sleep(hours * HOUR).await;
                    // The clock does not advance while a task runs.
                    for _ in 0..100 {
                        yield_now().await;
                    }
                    log.lock().unwrap().push((hours, now() - start));
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("it ends");
        }
        let expected = [1, 3, 5, 7, 9].map(|hours| (hours, hours * HOUR));
        assert_eq!(*log.lock().unwrap(), expected);
    });
}

#[test]
fn clock_waits_for_woken_block_on_thread() {
    for workers in [1, 2] {
        let runtime = paused(workers);
        let _ticking = runtime.spawn(async {
            loop {
                sleep(Duration::from_millis(1)).await;
            }
        });
        runtime.block_on(async {
            // The clock may be about to advance when this thread enters the runtime.
            sleep(Duration::from_millis(5)).await;
            for round in 0..2_000 {
                let sent = now();
                let (reply, answer) = futures::channel::oneshot::channel();
                spawn(async move {
                    yield_now().await;
                    reply.send(now()).expect("the test waits");
                })
                .detach();
                let answered = answer.await.expect("an answer");
                assert_eq!(
                    (sent, now()),
                    (answered, answered),
                    "round {round} with {workers} workers"
                );
            }
        });
    }
}

#[test]
fn clock_waits_for_running_blocking_job() {
    on_each(async || {
        for _ in 0..5 {
            let start = now();
            let job = spawn_blocking(|| thread::sleep(Duration::from_millis(20)));
            let done = timeout(HOUR, job).await;
            done.expect("the clock stands").expect("no panic");
            assert_eq!(now(), start);
        }
    });
}

#[test]
fn timeout_of_pending_future_elapses_at_once() {
    on_each(async || {
        assert!(timeout(HOUR, pending::<()>()).await.is_err());
    });
}

#[test]
fn advance_ends_when_all_tasks_wait() {
    on_each(async || {
        let (sent, received) = mpsc::channel();
        spawn(async move {
            for _ in 0..3 {
                sleep(HOUR).await;
                for _ in 0..50 {
                    yield_now().await;
                }
                sent.send(()).expect("the test receives");
            }
        })
        .detach();
        advance(Duration::ZERO).await;
        let start = now();
        advance(HOUR / 2).await;
        assert_eq!(received.try_iter().count(), 0);
        advance(HOUR / 2).await;
        assert_eq!(received.try_iter().count(), 1);
        // One step passes several deadlines of the task.
        advance(10 * HOUR).await;
        assert_eq!(received.try_iter().count(), 1);
        assert_eq!(now(), start + 11 * HOUR);
    });
}

#[test]
fn two_tasks_advance_one_clock() {
    on_each(async || {
        let start = now();
        let other = spawn(advance(HOUR));
        advance(HOUR).await;
        other.await.expect("it ends");
        assert_eq!(now(), start + 2 * HOUR);
    });
}

#[test]
fn clock_paused_by_a_task_jumps_too() {
    let runtime = Builder::new().worker_threads(2).build().expect("a runtime");
    let start = Instant::now();
    let slept = runtime.block_on(runtime.spawn(async {
        pause();
        let start = now();
        sleep(HOUR).await;
        now() - start
    }));
    assert_eq!(slept.expect("it ends"), HOUR);
    assert!(start.elapsed() < HOUR / 60);
}

#[test]
fn resumed_clock_follows_the_system_clock() {
    paused(2).block_on(async {
        sleep(HOUR).await;
        let before = now();
        resume();
        let start = Instant::now();
        sleep(Duration::from_millis(20)).await;
        assert!(start.elapsed() >= Duration::from_millis(20));
        assert!(now() - before >= Duration::from_millis(20));
        pause();
        sleep(HOUR).await;
    });
}

#[test]
fn timers_before_the_pause_keep_their_deadlines() {
    let runtime = Builder::new().worker_threads(2).build().expect("a runtime");
    runtime.block_on(async {
        let start = now();
        let task = spawn(async move {
            sleep(HOUR).await;
            now() - start
        });
        thread::sleep(Duration::from_millis(20));
        pause();
        let slept = task.await.expect("it ends");
        assert!(slept >= HOUR && slept < HOUR + Duration::from_secs(60));
    });
}

#[test]
fn paused_runtimes_do_not_share_their_clocks() {
    let (still, other) = (paused(1), paused(1));
    let start = other.block_on(async { now() });
    still.block_on(sleep(HOUR));
    assert_eq!(other.block_on(async { now() }), start);
}

/// A worker that monitors the others has a timer of its own, which must not advance the clock.
#[test]
fn idle_runtime_keeps_its_paused_clock() {
    let runtime = Builder::new().worker_threads(2).build().expect("a runtime");
    runtime.block_on(async {
        for _ in 0..20 {
            resume();
            let busy = spawn(async { thread::sleep(Duration::from_millis(3)) });
            thread::sleep(Duration::from_millis(1));
            pause();
            let start = now();
            let (sender, received) = futures::channel::oneshot::channel();
            let outside = thread::spawn(move || {
                thread::sleep(Duration::from_millis(10));
                sender.send(()).expect("the test waits");
            });
            received.await.expect("it was sent");
            assert_eq!(now(), start);
            outside.join().expect("it has sent");
            busy.await.expect("it ends");
        }
    });
}

#[test]
fn advance_of_a_running_clock_panics() {
    let runtime = Builder::new().worker_threads(1).build().expect("a runtime");
    let advanced = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(advance(Duration::ZERO));
    }));
    let payload = advanced.expect_err("it runs");
    let text = payload.downcast_ref::<&str>();
    assert!(text.is_some_and(|text| text.contains("volt::time::pause")));
}

#[test]
fn idle_paused_runtime_sleeps() {
    let runtime = paused(2);
    let task = runtime.spawn(pending::<()>());
    thread::sleep(Duration::from_millis(50));
    let parked = || -> u64 {
        runtime
            .stats()
            .workers
            .iter()
            .map(|worker| worker.parked)
            .sum()
    };
    let before = parked();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(parked(), before);
    task.cancel();
}
