//! The notifications of workers, on schedulers whose workers have no threads.

use std::panic::Location;

use crate::driver::Driver;
use crate::scheduler::Config;
use crate::scheduler::batched_arc::BatchedArc;
use crate::scheduler::shared::Shared;
use crate::scheduler::threads::build;
use crate::scheduler::worker::Worker;
use crate::scheduler::worker::{Core, Role};
use crate::task::{Runnable, new_task};

/// Two workers: the test acts as the first, and the second sleeps.
pub(crate) struct Stage {
    pub(crate) workers: Vec<Worker>,
    pub(crate) handle: crate::scheduler::SchedulerHandle,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let (driver, driver_handle) = Driver::new().unwrap();
        let (workers, handle) = build(Config::new(2), driver, driver_handle);
        assert!(handle.0.idle.announce(1));
        Self { workers, handle }
    }

    pub(crate) fn task(&self) -> Runnable {
        let (task, join) = new_task(
            async {},
            BatchedArc::new(&self.handle.0),
            Location::caller(),
        );
        join.detach();
        task
    }

    pub(crate) fn act<R>(&self, act: impl FnOnce(&mut Core, &Shared) -> R) -> R {
        self.workers[0]
            .with_core(|core| act(core, &self.handle.0))
            .unwrap()
    }

    pub(crate) fn push_newest(&self) {
        let task = self.task();
        self.act(|core, shared| core.push_newest(shared, task));
    }

    pub(crate) fn push_back(&self) {
        let task = self.task();
        self.act(|core, shared| core.push_back(shared, task));
    }

    pub(crate) fn next(&self) -> Runnable {
        self.act(|core, shared| core.next_local(shared)).unwrap()
    }

    pub(crate) fn is_other_asleep(&self) -> bool {
        self.handle.0.idle.is_asleep(1)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

#[test]
fn task_in_empty_slot_wakes_no_worker() {
    let stage = Stage::new();
    stage.push_newest();
    assert!(stage.is_other_asleep());
}

#[test]
fn only_task_of_a_worker_is_repeated_without_queue() {
    let stage = Stage::new();
    let task = stage.task();
    let address = task.waker().data();
    stage.act(|core, shared| core.push_yielded(shared, task));
    assert!(!stage.handle.0.has_stealable(1));
    assert_eq!(stage.next().waker().data(), address);
    assert!(stage.is_other_asleep());
}

#[test]
fn yielded_task_is_queued_after_others() {
    let stage = Stage::new();
    let [first, second] = [stage.task(), stage.task()];
    let address = first.waker().data();
    stage.act(|core, shared| core.push_back(shared, first));
    stage.act(|core, shared| core.push_yielded(shared, second));
    assert_eq!(stage.next().waker().data(), address);
    assert!(stage.handle.0.has_stealable(1));
}

#[test]
fn displaced_task_wakes_a_sleeper_at_once() {
    let stage = Stage::new();
    stage.push_newest();
    stage.push_newest();
    assert!(!stage.is_other_asleep());
    assert_eq!(stage.handle.0.idle.searchers(), 1);
}

/// In the driver, a worker that calls wakers still counts as a sleeper.
#[test]
fn tasks_pushed_during_a_sleep_wake_a_worker_later() {
    let stage = Stage::new();
    assert!(stage.handle.0.idle.announce(0));
    stage.act(|core, _| core.role = Role::Searching);
    (0..3).for_each(|_| stage.push_newest());
    assert_eq!(stage.handle.0.idle.sleepers(), 2);
    assert!(stage.handle.0.idle.withdraw(0));
    stage.act(|core, shared| core.found_work(shared));
    assert!(!stage.is_other_asleep());
}

#[test]
fn remaining_yielding_task_wakes_a_sleeper() {
    let stage = Stage::new();
    stage.push_back();
    drop(stage.next());
    assert!(stage.is_other_asleep());
    stage.push_back();
    stage.push_back();
    assert!(stage.is_other_asleep());
    drop(stage.next());
    assert!(!stage.is_other_asleep());
}

#[test]
fn task_from_outside_wakes_a_sleeper() {
    let stage = Stage::new();
    stage.handle.0.inject(stage.task());
    assert!(!stage.is_other_asleep());
}

#[test]
fn external_tasks_wake_one_worker_at_a_time() {
    let stage = Stage::new();
    assert!(stage.handle.0.idle.announce(0));
    for _ in 0..10_000 {
        stage.handle.0.inject(stage.task());
    }
    assert_eq!(stage.handle.0.idle.sleepers(), 1);
}

#[test]
fn batch_with_remaining_tasks_wakes_a_sleeper() {
    let stage = Stage::new();
    let tasks = (0..10).map(|_| stage.task());
    stage.handle.0.injector.extend(tasks);
    drop(stage.act(|core, shared| core.search(shared)));
    assert!(!stage.is_other_asleep());
}

/// A parked worker may be about to find a task, and a paused clock must wait for it.
#[test]
fn quiescence_needs_sleepers_and_empty_queues() {
    let stage = Stage::new();
    let shared = &stage.handle.0;
    assert!(!shared.is_quiescent(), "one is awake");
    assert!(shared.idle.announce(0));
    assert!(shared.is_quiescent());
    shared.injector.push(stage.task());
    assert!(!shared.is_quiescent());
    drop(shared.injector.pop());
    stage.push_newest();
    assert!(!shared.is_quiescent());
    drop(stage.next());
    assert!(shared.is_quiescent());
}
