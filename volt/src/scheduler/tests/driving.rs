//! The driver and the workers: timers fire whether workers sleep or not.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

use futures_lite::future::{block_on, yield_now};

use super::{LIMIT, Running, within};
use crate::driver::{DriverHandle, Timer};

/// Waits for a timer of the driver; returns by how much it was late.
async fn sleep(driver: DriverHandle, time: Duration) -> Duration {
    let deadline = Instant::now() + time;
    let mut timer = None;
    poll_fn(move |cx| {
        let now = Instant::now();
        if now >= deadline {
            return Poll::Ready(now - deadline);
        }
        match &mut timer {
            None => timer = Some(Timer::new(driver.clone(), Some(deadline), cx.waker())),
            Some(timer) => timer.update(now, Some(deadline), cx.waker()),
        }
        Poll::Pending
    })
    .await
}

#[test]
fn timers_wake_tasks_while_all_workers_sleep() {
    for workers in [1, 2, 65] {
        within(LIMIT, move || {
            let running = Running::new(workers);
            let sleepers: Vec<_> = (0..200)
                .map(|n| {
                    let driver = running.handle.driver().clone();
                    running.spawn(sleep(driver, Duration::from_millis(n % 20)))
                })
                .collect();
            for sleeper in sleepers {
                let late = block_on(sleeper).unwrap();
                assert!(late < Duration::from_secs(10), "{late:?}");
            }
        });
    }
}

/// Only the waker that the driver calls queues the task on the sleeping worker.
#[test]
fn lone_timer_wakes_its_task() {
    for workers in [1, 2] {
        within(LIMIT, move || {
            let running = Running::new(workers);
            for _ in 0..20 {
                running.settle();
                let driver = running.handle.driver().clone();
                let late = running.run(sleep(driver, Duration::from_millis(2)));
                assert!(late < Duration::from_secs(10), "{late:?}");
            }
        });
    }
}

#[test]
fn timers_fire_while_no_worker_ever_sleeps() {
    within(LIMIT, || {
        let running = Running::new(1);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let spinner = running.spawn(async move {
            while !flag.load(Ordering::SeqCst) {
                yield_now().await;
            }
        });
        let driver = running.handle.driver().clone();
        let late = running.run(sleep(driver, Duration::from_millis(5)));
        assert!(late < Duration::from_secs(10), "{late:?}");
        stop.store(true, Ordering::SeqCst);
        block_on(spinner).unwrap();
    });
}

/// The worker in the driver polls the task that it has woken, which blocks: another worker must
/// take the driver slot.
#[test]
fn blocking_task_does_not_hold_the_driver() {
    within(LIMIT, || {
        let running = Running::new(2);
        running.settle();
        let driver = running.handle.driver().clone();
        let other = driver.clone();
        let blocker = running.spawn(async move {
            sleep(driver, Duration::from_millis(5)).await;
            thread::sleep(Duration::from_secs(2));
        });
        let late = running.run(sleep(other, Duration::from_millis(50)));
        assert!(late < Duration::from_millis(1_500), "{late:?}");
        block_on(blocker).unwrap();
    });
}
