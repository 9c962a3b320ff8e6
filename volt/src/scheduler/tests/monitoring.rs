//! The stall monitor: prompt while slots are used, and quiet while they are not.

use std::future::poll_fn;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

use futures_lite::future::yield_now;

use super::notifying::Stage;
use super::{LIMIT, Running, once_within, spawn_here, within};

use crate::driver::{DriverHandle, Timer};
use crate::scheduler::SchedulerHandle;
use crate::scheduler::batched_arc::BatchedArc;
use crate::scheduler::worker::{Core, Role};
use crate::task::new_task;

/// Waits for a timer of the driver, which it sets once; returns by how much it was late. Another
/// test covers the cost of setting a timer again.
async fn sleep(driver: DriverHandle, time: Duration) -> Duration {
    let deadline = Instant::now() + time;
    let mut timer = None;
    poll_fn(move |cx| {
        let now = Instant::now();
        if now >= deadline {
            return Poll::Ready(now - deadline);
        }
        timer.get_or_insert_with(|| Timer::new(driver.clone(), Some(deadline), cx.waker()));
        Poll::Pending
    })
    .await
}

fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// Counts the checks of the monitor while one worker is in a poll for half a second. There are none
/// if all workers slept before.
#[test]
fn monitor_backs_off_while_a_poll_fills_no_slot() {
    within(LIMIT, || {
        let running = Running::new(2);
        running.settle();
        let before = running.handle.0.monitor_rounds.load(Ordering::Relaxed);
        running.run(async { thread::sleep(Duration::from_millis(500)) });
        let rounds = running.handle.0.monitor_rounds.load(Ordering::Relaxed) - before;
        assert!(rounds < 100, "{rounds} checks in half a second");
    });
}

/// The timer fills the slot of the worker that it wakes, which is in no poll.
#[test]
fn periodic_timer_lets_the_monitor_back_off() {
    const TICKS: u32 = 200;
    within(LIMIT, || {
        let running = Running::new(2);
        running.settle();
        let driver = running.handle.driver().clone();
        let start = Instant::now();
        running.run(async move {
            for _ in 0..TICKS {
                sleep(driver.clone(), Duration::from_millis(1)).await;
            }
        });
        // One check in a long period of 20 ms, and those before the monitor backs off.
        let allowed = 20 + start.elapsed().as_millis() / 20;
        let rounds = running.handle.0.monitor_rounds.load(Ordering::Relaxed);
        assert!(u128::from(rounds) <= allowed, "{rounds} checks");
    });
}

/// The monitor has backed off by then.
#[test]
fn slot_filled_late_in_a_poll_wakes_the_monitor() {
    within(LIMIT, || {
        let running = Running::new(2);
        once_within(Duration::from_millis(4), || {
            let mut waits: Vec<_> = (0..11).map(|_| wait_for_a_late_child(&running)).collect();
            waits.sort_unstable();
            waits[5]
        });
    });
}

/// The task goes to the ring, and other workers are notified after the poll. So does a task that a
/// long poll has run inside of a join, and that yields.
#[test]
fn monitor_finds_ring_task_of_blocked_worker() {
    within(LIMIT, || {
        let running = Running::new(2);
        running.settle();
        let shared = BatchedArc::new(&running.handle.0);
        running.run(async move {
            let here = SchedulerHandle::current().expect("on a worker");
            let ran = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&ran);
            let yielded = async move { flag.store(true, Ordering::SeqCst) };
            let (task, join) = new_task(yielded, shared, Location::caller());
            here.reschedule(task);
            while !ran.load(Ordering::SeqCst) {
                thread::sleep(Duration::from_micros(50));
            }
            join.detach();
        });
    });
}

/// It has seen the owner in one poll for a whole period.
#[test]
fn relieving_worker_steals_without_a_watch() {
    let stage = Stage::new();
    stage.push_newest();
    let shared = &*stage.handle.0;
    let monitors = shared
        .driver_slot
        .lock()
        .as_mut()
        .map(|slot| shared.monitor_stalls(slot));
    assert_eq!(monitors, Some(true));
    // From now on a watch gives up at once.
    stage.handle.stop();
    let steal = |role| {
        let steal = |core: &mut Core| {
            core.role = role;
            core.steal(shared)
        };
        stage.workers[1].with_core(steal).unwrap()
    };
    assert!(steal(Role::Searching).is_none());
    assert!(steal(Role::Relieving).is_some());
}

/// Returns how long a task waits that is spawned late in a long poll.
fn wait_for_a_late_child(running: &Running) -> Duration {
    running.settle();
    running.run(async {
        thread::sleep(Duration::from_millis(50));
        let ran = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&ran);
        let start = Instant::now();
        spawn_here(async move { flag.store(true, Ordering::SeqCst) }).detach();
        while !ran.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_micros(50));
        }
        start.elapsed()
    })
}

#[test]
fn timer_beside_a_blocked_worker_is_on_time() {
    within(LIMIT, || {
        let running = Running::new(2);
        once_within(Duration::from_millis(10), || {
            running.settle();
            let driver = running.handle.driver().clone();
            let other = driver.clone();
            // The blocker sleeps in the driver first, so its worker is the one in the driver.
            let blocker = running.spawn(async move {
                sleep(other, Duration::from_millis(5)).await;
                thread::sleep(Duration::from_millis(400));
            });
            let late = running.run(sleep(driver, Duration::from_millis(50)));
            assert!(!blocker.is_finished());
            running.run(async { blocker.await.unwrap() });
            late
        });
    });
}

/// No worker ever sleeps in the driver, and 128 of these polls take 128 ms.
#[test]
fn timer_beside_slow_polls_is_on_time() {
    within(LIMIT, || {
        let running = Running::new(1);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let spinner = running.spawn(async move {
            while !flag.load(Ordering::SeqCst) {
                spin(Duration::from_millis(1));
                yield_now().await;
            }
        });
        once_within(Duration::from_millis(40), || {
            let driver = running.handle.driver().clone();
            running.run(sleep(driver, Duration::from_millis(5)))
        });
        stop.store(true, Ordering::SeqCst);
        running.run(async { spinner.await.unwrap() });
    });
}

/// A thousand spawns from outside while a worker always has tasks.
#[test]
fn external_spawns_run_soon_beside_busy_tasks() {
    within(LIMIT, || {
        let running = Running::new(1);
        let stop = Arc::new(AtomicBool::new(false));
        for _ in 0..4 {
            let flag = Arc::clone(&stop);
            let busy = async move {
                while !flag.load(Ordering::SeqCst) {
                    spin(Duration::from_micros(10));
                    yield_now().await;
                }
            };
            running.spawn(busy).detach();
        }
        once_within(Duration::from_millis(20), || {
            let start = Instant::now();
            let tasks: Vec<_> = (0..1_000).map(|_| running.spawn(async {})).collect();
            for task in tasks {
                futures_lite::future::block_on(task).unwrap();
            }
            start.elapsed()
        });
        stop.store(true, Ordering::SeqCst);
    });
}
