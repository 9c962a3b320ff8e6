//! All interleavings of the parking protocol, with a small queue and parkers.
//!
//! There is no timeout, so a lost wake-up is a deadlock, which loom reports.

use loom::sync::atomic::AtomicBool;
use loom::sync::atomic::AtomicUsize;
use loom::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use loom::sync::{Arc, Notify};
use loom::thread;

use super::IdleSet;
use crate::scheduler::idle::park::{DriverInterrupt, Parker, WaitPlace};
use crate::scheduler::queue::Injector;

/// A small driver, which remembers one interrupt.
struct SmallDriver(Notify);

impl DriverInterrupt for Arc<SmallDriver> {
    fn interrupt_driver(&self) {
        self.0.notify();
    }

    fn wake_standby(&self) {
        unreachable!("no worker is on standby");
    }
}

struct DriverSlot(Arc<SmallDriver>);

impl WaitPlace for DriverSlot {
    fn wait(&mut self) {
        self.0.0.wait();
    }
}

/// The queues are relaxed counters: only the protocol makes their values visible in time.
struct World {
    idle: IdleSet,
    queues: Vec<AtomicUsize>,
    /// The global queue, in the models of its lock.
    injector: Option<Injector<(), ()>>,
    parkers: Vec<Parker>,
    /// Not a mutex: loom blocks a `try_lock` if another thread locks first.
    driver_slot_taken: AtomicBool,
    driver: Arc<SmallDriver>,
    stopped: AtomicBool,
}

impl World {
    fn new(workers: usize, queues: usize) -> Arc<Self> {
        Self::with(workers, queues, None)
    }

    fn with_injector(workers: usize) -> Arc<Self> {
        Self::with(workers, 0, Some(Injector::new(())))
    }

    fn with(workers: usize, queues: usize, injector: Option<Injector<(), ()>>) -> Arc<Self> {
        let driver = Arc::new(SmallDriver(Notify::new()));
        Arc::new(Self {
            idle: IdleSet::new(workers),
            queues: (0..queues).map(|_| AtomicUsize::new(0)).collect(),
            injector,
            parkers: (0..workers).map(|_| Parker::new()).collect(),
            driver_slot_taken: AtomicBool::new(false),
            driver,
            stopped: AtomicBool::new(false),
        })
    }

    fn push(&self, queue: usize) {
        self.queues[queue].fetch_add(1, Relaxed);
        if let Some(worker) = self.idle.notify([0; 2]) {
            self.parkers[worker].unpark(&self.driver);
        }
    }

    fn inject(&self) {
        let injector = self.injector.as_ref().expect("there is one");
        injector.push(());
        if self.idle.should_wake() {
            self.wake_one();
        }
    }

    fn wake_one(&self) {
        if let Some(worker) = self.idle.claim([0; 2]) {
            self.parkers[worker].unpark(&self.driver);
        }
    }

    fn stop_searching(&self) {
        if self.idle.stop_searching() && self.has_work() {
            self.wake_one();
        }
    }

    fn take(&self) -> bool {
        self.queues.iter().any(|queue| {
            queue
                .fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1))
                .is_ok()
        }) || self.fetch()
    }

    /// Takes one task from the global queue, unless it seems to be empty.
    fn fetch(&self) -> bool {
        let injector = self.injector.as_ref();
        injector.is_some_and(|queue| !queue.seems_empty() && queue.pop().is_some())
    }

    fn has_work(&self) -> bool {
        self.stopped.load(Relaxed)
            || self.queues.iter().any(|queue| queue.load(Relaxed) > 0)
            || self
                .injector
                .as_ref()
                .is_some_and(|queue| !queue.is_empty())
    }

    /// Runs worker `me` until it has found `count` tasks.
    fn work(&self, me: usize, count: usize) {
        self.parkers[me].bind();
        let (mut searching, mut found) = (false, 0);
        while found < count && !self.stopped.load(Relaxed) {
            if self.take() {
                found += 1;
                if std::mem::take(&mut searching) {
                    self.stop_searching();
                }
                continue;
            }
            searching = self.sleep(me, searching);
        }
    }

    fn sleep(&self, me: usize, searching: bool) -> bool {
        let must_check = announce(&self.idle, me, searching);
        if self.stopped.load(Relaxed) || (must_check && self.has_work()) {
            self.idle.withdraw(me);
            return true;
        }
        while self.idle.is_asleep(me) && !self.stopped.load(Relaxed) {
            if self.driver_slot_taken.swap(true, AcqRel) {
                self.parkers[me].park_thread();
            } else {
                self.parkers[me].park_driver(&mut DriverSlot(Arc::clone(&self.driver)));
                self.driver_slot_taken.store(false, Release);
            }
        }
        if self.stopped.load(Relaxed) {
            self.idle.withdraw(me);
        }
        true
    }
}

fn announce(idle: &IdleSet, worker: usize, is_searching: bool) -> bool {
    if is_searching {
        idle.announce_searcher(worker)
    } else {
        idle.announce(worker)
    }
}

/// Breaks when an unpark is not remembered.
#[test]
fn push_wakes_a_lone_worker() {
    loom::model(|| {
        let world = World::new(1, 1);
        let worker = Arc::clone(&world);
        let thread = thread::spawn(move || worker.work(0, 2));
        world.push(0);
        world.push(0);
        thread.join().unwrap();
    });
}

/// Two pushers and one worker, with a queue each.
#[test]
fn two_pushers_wake_a_lone_worker() {
    loom::model(|| {
        let world = World::new(1, 2);
        let [worker, pusher] = [Arc::clone(&world), Arc::clone(&world)];
        let threads = [
            thread::spawn(move || worker.work(0, 2)),
            thread::spawn(move || pusher.push(1)),
        ];
        world.push(0);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// A worker has two tasks in its ring, takes one, and polls it forever: another worker must take
/// the second.
///
/// Breaks without the fence in `notify_after_exchange`, and without the one in `announce`.
#[test]
fn remaining_ring_tasks_wake_a_parking_worker() {
    loom::model(|| {
        let world = World::new(2, 1);
        let sleeper = Arc::clone(&world);
        let thread = thread::spawn(move || sleeper.work(1, 1));
        world.queues[0].fetch_add(2, Relaxed);
        assert!(world.take());
        if let Some(worker) = world.idle.notify_after_exchange([0; 2]) {
            world.parkers[worker].unpark(&world.driver);
        }
        thread.join().unwrap();
    });
}

/// Two workers need one task each: the last searcher must wake the other. Breaks when
/// `stop_searching` or `announce` never returns `true`, and without the fence in it, in `announce`,
/// or in `notify`.
#[test]
fn last_searcher_wakes_another() {
    loom::model(|| {
        let world = World::new(2, 1);
        let threads = [0, 1].map(|me| {
            let worker = Arc::clone(&world);
            thread::spawn(move || worker.work(me, 1))
        });
        world.push(0);
        world.push(0);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// The lock of the global queue replaces the fence in `notify`. Breaks when `Injector::is_empty`
/// uses the length alone.
#[test]
fn task_in_the_global_queue_wakes_a_lone_worker() {
    loom::model(|| {
        let world = World::with_injector(1);
        let worker = Arc::clone(&world);
        let thread = thread::spawn(move || worker.work(0, 2));
        world.inject();
        world.inject();
        thread.join().unwrap();
    });
}

/// The same as `last_searcher_wakes_another`, for the global queue. Breaks when
/// `Injector::is_empty` uses the length alone.
#[test]
fn last_searcher_wakes_another_for_the_global_queue() {
    loom::model(|| {
        let world = World::with_injector(2);
        let threads = [0, 1].map(|me| {
            let worker = Arc::clone(&world);
            thread::spawn(move || worker.work(me, 1))
        });
        world.inject();
        world.inject();
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// A worker wakes up by itself, so a pusher finds its count but not its bit. While that pusher
/// counts as a searcher, another one relies on it.
///
/// Breaks when a claim that has found no bit does not check again.
#[test]
fn claim_without_a_sleeper_checks_again() {
    loom::model(|| {
        let world = World::new(2, 2);
        assert!(world.idle.announce(0));
        let [riser, sleeper, pusher] = [(); 3].map(|()| Arc::clone(&world));
        let threads = [
            thread::spawn(move || {
                riser.idle.withdraw(0);
                // It has found a task of its own.
                riser.stop_searching();
            }),
            thread::spawn(move || sleeper.work(1, 2)),
            thread::spawn(move || pusher.push(1)),
        ];
        world.push(0);
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// One worker claims the other, and uncounts it late. Meanwhile the other wakes up by itself, and
/// goes to sleep again. It must not count the claimer as a sleeper.
///
/// Breaks when `are_all_asleep` compares the count of sleepers with the number of workers.
#[test]
fn claimer_does_not_count_as_sleeper() {
    loom::model(|| {
        let world = World::new(2, 1);
        assert!(world.idle.announce(0));
        let at_work = Arc::new(AtomicBool::new(true));
        let [claimer, riser] = [(); 2].map(|()| (Arc::clone(&world), Arc::clone(&at_work)));
        let threads = [
            thread::spawn(move || {
                let (world, at_work) = claimer;
                world.wake_one();
                at_work.store(false, Relaxed);
                _ = world.idle.announce(1);
            }),
            thread::spawn(move || {
                let (world, at_work) = riser;
                if !world.idle.is_asleep(0) {
                    _ = world.idle.announce_searcher(0);
                }
                if world.idle.are_all_asleep() {
                    assert!(!at_work.load(Relaxed), "it has not lain down");
                }
            }),
        ];
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// A local worker runs `block_on`: it checks the flag of that future as it checks its queues. A
/// wake of the future and a task from outside arrive at once.
///
/// Breaks when the wake unparks before it sets the flag, and when the worker does not check the
/// flag after a sleep.
#[test]
fn block_on_wake_and_external_task_are_both_seen() {
    loom::model(|| {
        let world = World::new(1, 1);
        let called = Arc::new(AtomicBool::new(false));
        let [worker, caller, pusher] = [(); 3].map(|()| (Arc::clone(&world), Arc::clone(&called)));
        let threads = [
            thread::spawn(move || block_on_and_run(&worker.0, &worker.1)),
            thread::spawn(move || {
                let (world, called) = caller;
                if !called.swap(true, AcqRel) {
                    world.parkers[0].unpark(&world.driver);
                }
            }),
            thread::spawn(move || pusher.0.push(0)),
        ];
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

/// Runs a local worker until it has seen one wake of its future and one task.
fn block_on_and_run(world: &World, called: &AtomicBool) {
    world.parkers[0].bind();
    let (mut calls, mut tasks, mut searching) = (0, 0, false);
    while calls + tasks < 2 {
        calls += usize::from(called.swap(false, AcqRel));
        if world.take() {
            tasks += 1;
            if std::mem::take(&mut searching) {
                world.stop_searching();
            }
        }
        if calls + tasks == 2 {
            return;
        }
        let must_check = announce(&world.idle, 0, searching);
        searching = true;
        if called.load(Acquire) || (must_check && world.has_work()) {
            world.idle.withdraw(0);
            continue;
        }
        while world.idle.is_asleep(0) {
            world.parkers[0].park_thread();
            if called.load(Acquire) {
                world.idle.withdraw(0);
            }
        }
    }
}

/// A stop reaches a worker at each step on its way to sleep.
#[test]
fn stop_ends_every_sleep() {
    loom::model(|| {
        let world = World::new(2, 1);
        let threads = [0, 1].map(|me| {
            let worker = Arc::clone(&world);
            thread::spawn(move || worker.work(me, usize::MAX))
        });
        world.stopped.store(true, SeqCst);
        for parker in &world.parkers {
            parker.unpark(&world.driver);
        }
        for thread in threads {
            thread.join().unwrap();
        }
    });
}
