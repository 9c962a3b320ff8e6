//! A busy worker keeps a short batch to itself, and wakes another worker if it takes longer.

#![cfg(all(target_os = "linux", not(any(miri, shuttle))))]

use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use super::notifying::Stage;
use super::{LIMIT, Running, once_within, spawn_here, within};
use crate::driver::{DriverHandle, Timer};
use crate::scheduler::shared::Shared;
use crate::scheduler::worker::Role;

/// The number of polls of 5 µs that end soon, and the number of those that do not.
const FEW: usize = 36;
const MANY: usize = 48;

/// Returns a stage whose worker has had some brief sleeps, and polls of 5 µs.
fn busy_stage() -> Stage {
    busy_stage_with(Duration::from_micros(5))
}

fn busy_stage_with(poll: Duration) -> Stage {
    let stage = Stage::new();
    let now = Instant::now();
    stage.act(|core, shared| {
        for _ in 0..4 {
            core.stop_timing(shared, now);
            core.end_sleep(now);
        }
        (0..200).for_each(|_| core.interval.sample(poll.as_nanos() as u64, 1));
    });
    stage
}

/// The worker returns from the driver, whose wakers have filled its queues, and begins to poll. The
/// other worker is on standby.
fn come_with(stage: &Stage, tasks: usize) {
    let _standby = stage
        .handle
        .0
        .standby
        .enter(1)
        .expect("no worker is on standby");
    come_alone_with(stage, tasks);
}

/// Does the same without a worker on standby.
fn come_alone_with(stage: &Stage, tasks: usize) {
    let shared = &*stage.handle.0;
    assert!(shared.idle.announce(0));
    stage.act(|core, _| core.role = Role::Searching);
    (0..tasks).for_each(|_| stage.push_newest());
    assert!(shared.idle.withdraw(0));
    stage.act(|core, shared| core.found_work(shared));
}

/// Runs a tick while another thread holds the driver slot.
fn tick(stage: &Stage) {
    let _elsewhere = stage.handle.0.driver_slot.lock();
    stage.workers[0].tick();
}

#[test]
fn short_batch_of_busy_worker_wakes_no_worker() {
    let stage = busy_stage();
    come_with(&stage, FEW);
    assert!(stage.is_other_asleep());
    assert_eq!(stage.handle.0.idle.searchers(), 0);
}

#[test]
fn long_batch_of_busy_worker_wakes_a_sleeper() {
    let stage = busy_stage();
    come_with(&stage, MANY);
    assert!(!stage.is_other_asleep());
}

#[test]
fn batch_of_long_polls_wakes_a_sleeper() {
    let stage = busy_stage_with(Duration::from_micros(12));
    come_with(&stage, 2);
    assert!(!stage.is_other_asleep());
}

#[test]
fn batch_after_a_long_sleep_wakes_a_sleeper() {
    let stage = busy_stage();
    let now = Instant::now();
    stage.act(|core, shared| {
        core.stop_timing(shared, now);
        core.end_sleep(now + Duration::from_millis(1));
    });
    come_with(&stage, 2);
    assert!(!stage.is_other_asleep());
}

#[test]
fn batch_with_injected_task_wakes_a_sleeper() {
    let stage = busy_stage();
    stage.handle.0.injector.push(stage.task());
    come_with(&stage, 2);
    assert!(!stage.is_other_asleep());
}

#[test]
fn batch_under_paused_clock_wakes_a_sleeper() {
    let stage = busy_stage();
    stage.handle.0.driver_handle.pause();
    come_with(&stage, 2);
    assert!(!stage.is_other_asleep());
}

/// No worker would take the driver slot.
#[test]
fn batch_without_standby_wakes_a_sleeper() {
    let stage = busy_stage();
    come_alone_with(&stage, 2);
    assert!(!stage.is_other_asleep());
}

#[test]
fn unfinished_batch_wakes_a_sleeper_at_next_tick() {
    let stage = busy_stage();
    come_with(&stage, 3);
    tick(&stage);
    assert!(!stage.is_other_asleep());
}

#[test]
fn finished_batch_wakes_no_worker_at_next_tick() {
    let stage = busy_stage();
    come_with(&stage, 3);
    (0..3).for_each(|_| drop(stage.next()));
    tick(&stage);
    assert!(stage.is_other_asleep());
}

#[test]
fn sleep_resets_the_distance_to_the_next_tick() {
    let stage = Stage::new();
    let task = stage.task();
    stage.act(|core, shared| {
        let now = Instant::now();
        core.end_sleep(now);
        let mut polls = 0;
        while !core.timer.is_phase_over() {
            core.begin_poll(shared, &task);
            polls += 1;
        }
        core.begin_tick();
        core.begin_poll(shared, &task);
        assert!(core.end_sample(shared));
        (3..polls).for_each(|_| core.begin_poll(shared, &task));
        core.end_sleep(now);
        (1..polls).for_each(|_| core.begin_poll(shared, &task));
        assert!(!core.timer.is_phase_over());
    });
}

/// Checks the workers up to 20 times; returns `true` if the monitor backs off.
fn is_backed_off(shared: &Shared) -> bool {
    let mut locked = shared.driver_slot.lock();
    let driver_slot = locked.as_mut().expect("the scheduler has not ended");
    for _ in 0..20 {
        assert!(shared.monitor_stalls(driver_slot));
        shared.driver_handle.advance(Duration::from_millis(1));
        driver_slot.turn();
    }
    driver_slot.is_backed_off()
}

#[test]
fn monitor_backs_off_only_with_empty_rings() {
    let stage = busy_stage();
    come_with(&stage, 2);
    stage.handle.0.driver_handle.pause();
    drop(stage.next());
    assert!(!is_backed_off(&stage.handle.0));
    drop(stage.next());
    assert!(is_backed_off(&stage.handle.0));
}

/// The monitor would wait for a time that does not pass.
#[test]
fn batch_is_found_after_its_task_pauses_clock() {
    within(LIMIT, || {
        let stage = busy_stage();
        come_with(&stage, 2);
        assert!(stage.is_other_asleep());
        stage.handle.0.driver_handle.pause();
        assert!(stage.handle.0.sleep(1, Instant::now()));
    });
}

/// Two tasks of one batch. Each blocks until the other has begun.
#[derive(Default)]
struct Pair {
    begun: [AtomicBool; 2],
}

impl Pair {
    /// Returns the duration of the block.
    fn meet(&self, me: usize) -> Duration {
        self.begun[me].store(true, Ordering::SeqCst);
        let start = Instant::now();
        while !self.begun[1 - me].load(Ordering::SeqCst) {
            thread::sleep(Duration::from_micros(50));
        }
        start.elapsed()
    }
}

/// Waits for the timers that `set` creates for the task's waker.
async fn wait<T>(mut set: impl FnMut(&Waker) -> T) {
    let mut timers = None;
    poll_fn(|cx| {
        if timers.is_some() {
            return Poll::Ready(());
        }
        timers = Some(set(cx.waker()));
        Poll::Pending
    })
    .await;
}

fn timer(driver: &DriverHandle, due: Instant, waker: &Waker) -> Timer {
    Timer::new(driver.clone(), Some(due), waker)
}

/// Returns how long the first task of a batch of two waits for the second one, on a busy worker.
async fn meet_in_a_batch(driver: DriverHandle) -> Duration {
    let pair = Arc::new(Pair::default());
    let place = Arc::new(Mutex::new(None));
    let (others_pair, others_place) = (Arc::clone(&pair), Arc::clone(&place));
    let mut waits = true;
    let other = spawn_here(poll_fn(move |cx| {
        if std::mem::take(&mut waits) {
            *others_place.lock().unwrap() = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(others_pair.meet(1))
    }));
    let soon = || Instant::now() + Duration::from_micros(20);
    let mut others_waker = None;
    for turn in 0.. {
        wait(|waker| timer(&driver, soon(), waker)).await;
        others_waker = others_waker.or_else(|| place.lock().unwrap().take());
        if turn >= 50 && others_waker.is_some() {
            break;
        }
    }
    let others_waker = others_waker.expect("it was there");
    let due = soon();
    wait(|waker| [waker, &others_waker].map(|waker| timer(&driver, due, waker))).await;
    let waited = pair.meet(0);
    waited.max(other.await.unwrap())
}

#[test]
fn batch_continues_while_its_first_task_blocks() {
    within(LIMIT, || {
        for workers in [2, 4] {
            let running = Running::new(workers);
            once_within(Duration::from_millis(10), || {
                let mut waits = [(); 11].map(|()| {
                    running.settle();
                    let driver = running.handle.driver().clone();
                    running.run(meet_in_a_batch(driver))
                });
                waits.sort_unstable();
                waits[5]
            });
        }
    });
}
