//! No task waits for long: neither tasks from outside, nor those in the queues of a blocked worker.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use futures_lite::future::{Boxed, block_on, yield_now};

use super::{LIMIT, Running, once_within, spawn_here, within};
use crate::scheduler::{Config, Hooks};

/// A flag that tasks and threads share.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

impl Flag {
    fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_up(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Blocks the thread until the flag is up; returns the duration.
    fn block(&self) -> Duration {
        let start = Instant::now();
        while !self.is_up() {
            thread::sleep(Duration::from_micros(100));
        }
        start.elapsed()
    }
}

/// Returns the duration of the slowest of several external spawns.
fn slowest_spawn(running: &Running, count: usize) -> Duration {
    let one = || {
        let start = Instant::now();
        running.run(async {});
        start.elapsed()
    };
    (0..count).map(|_| one()).max().unwrap()
}

#[test]
fn external_spawn_runs_beside_a_yielding_task() {
    within(LIMIT, || {
        let running = Running::new(1);
        let stop = Flag::default();
        let flag = stop.clone();
        let spinner = running.spawn(async move {
            while !flag.is_up() {
                yield_now().await;
            }
        });
        once_within(Duration::from_millis(100), || slowest_spawn(&running, 50));
        stop.raise();
        block_on(spinner).unwrap();
    });
}

/// A woken worker may have to wait for a processor. A busy worker must not rely on it.
#[test]
fn external_spawn_runs_if_the_woken_worker_is_late() {
    within(LIMIT, || {
        let late = Flag::default();
        let arrived = Flag::default();
        let (is_late, has_arrived) = (late.clone(), arrived.clone());
        let mut config = Config::new(3);
        config.queue_interval = Some(u32::MAX);
        config.hooks = Some(Box::new(Hooks {
            unpark: Some(Box::new(move || {
                if is_late.is_up() {
                    has_arrived.block();
                }
            })),
            ..Hooks::default()
        }));
        let running = Running::with(config);
        let flag = arrived.clone();
        let begun = Flag::default();
        let has_begun = begun.clone();
        let spinner = running.spawn(async move {
            begun.raise();
            while !flag.is_up() {
                yield_now().await;
            }
        });
        // Two workers sleep before the third one starts, too. The spinner has not begun then.
        while !has_begun.is_up() || running.handle.stats().sleeping < 2 {
            thread::yield_now();
        }
        late.raise();
        running.run(async move { arrived.raise() });
        block_on(spinner).unwrap();
    });
}

/// A turn lasts until the queue is empty; a fair share would be a quarter of it.
#[test]
fn flood_from_outside_is_served_in_one_turn() {
    let own_polls_amid_a_flood = || {
        let running = Running::new(4);
        let [release, entered] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let log = Arc::new(Mutex::new(Vec::new()));
        for worker in 0..4 {
            let (gate, at, log) = (release.clone(), entered.clone(), log.clone());
            let its_own = running.spawn(async move {
                at.fetch_add(1, Ordering::SeqCst);
                while gate.load(Ordering::SeqCst) <= worker {
                    thread::yield_now();
                }
                while gate.load(Ordering::SeqCst) < 5 {
                    log.lock().unwrap().push("own");
                    yield_now().await;
                }
            });
            its_own.detach();
        }
        while entered.load(Ordering::SeqCst) < 4 {
            thread::yield_now();
        }
        let flood = (0..100).map(|_| {
            let log = log.clone();
            running.spawn(async move { log.lock().unwrap().push("outside") })
        });
        let flood: Vec<_> = flood.collect();
        release.store(1, Ordering::SeqCst);
        flood.into_iter().for_each(|task| block_on(task).unwrap());
        release.store(5, Ordering::SeqCst);
        let log = log.lock().unwrap();
        let served = log.iter().skip_while(|entry| **entry == "own");
        served.take(100).filter(|entry| **entry == "own").count()
    };
    within(LIMIT, move || {
        let fewest = (0..50).map(|_| own_polls_amid_a_flood()).min();
        assert_eq!(fewest, Some(0));
    });
}

/// Each poll fills the LIFO slot again, so the chain would run forever.
#[test]
fn external_spawn_runs_beside_a_chain_of_spawns() {
    fn chain(flag: Flag) -> Boxed<()> {
        Box::pin(async move {
            if !flag.is_up() {
                spawn_here(chain(flag)).detach();
            }
        })
    }
    within(LIMIT, || {
        let running = Running::new(1);
        let stop = Flag::default();
        running.spawn(chain(stop.clone())).detach();
        once_within(Duration::from_millis(100), || slowest_spawn(&running, 50));
        stop.raise();
    });
}

/// A flood from outside leaves the worker's own tasks their share.
#[test]
fn own_task_runs_beside_a_flood_from_outside() {
    within(LIMIT, || {
        let running = Running::new(1);
        let stop = Flag::default();
        let flag = stop.clone();
        let counted = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&counted);
        let own = running.spawn(async move {
            while !flag.is_up() {
                count.fetch_add(1, Ordering::Relaxed);
                yield_now().await;
            }
        });
        let deadline = Instant::now() + Duration::from_millis(100);
        while Instant::now() < deadline {
            while running.handle.stats().queued < 1000 {
                running.spawn(async {}).detach();
            }
        }
        stop.raise();
        block_on(own).unwrap();
        let share = counted.load(Ordering::Relaxed);
        assert!(share > 100, "{share} polls in 100 ms");
    });
}

#[test]
fn lifo_streak_ends_while_the_ring_has_tasks() {
    within(LIMIT, || {
        let running = Running::new(1);
        let waited = running.run(async {
            let done = Flag::default();
            let passed = Arc::new(AtomicUsize::new(0));
            // The first task is displaced into the ring; the chain uses the LIFO slot.
            let flag = done.clone();
            let patient = spawn_here(async move { flag.raise() });
            fn link(done: Flag, passed: Arc<AtomicUsize>) -> Boxed<()> {
                Box::pin(async move {
                    if !done.is_up() && passed.fetch_add(1, Ordering::Relaxed) < 1000 {
                        spawn_here(link(done, passed)).detach();
                    }
                })
            }
            spawn_here(link(done, Arc::clone(&passed))).detach();
            patient.await.unwrap();
            passed.load(Ordering::Relaxed)
        });
        assert_eq!(waited, 3);
    });
}

/// The tasks in a worker's buffer or ring do not wait for its long poll.
#[test]
fn queued_tasks_of_blocked_worker_are_stolen() {
    within(LIMIT, || {
        let running = Running::new(2);
        let release = Flag::default();
        let flag = release.clone();
        let blocker = running.spawn(async move {
            let children: Vec<_> = (0..20).map(|_| spawn_here(async {})).collect();
            flag.block();
            children
        });
        // All but the newest task were displaced into the ring.
        while running.handle.stats().alive > 2 {
            thread::sleep(Duration::from_millis(1));
        }
        release.raise();
        drop(block_on(blocker).unwrap());
    });
}

#[test]
fn lifo_task_of_blocked_worker_is_stolen() {
    within(LIMIT, || {
        let running = Running::new(2);
        let release = Flag::default();
        let ran = Flag::default();
        let (flag, mark) = (release.clone(), ran.clone());
        let blocker = running.spawn(async move {
            spawn_here(async move { mark.raise() }).detach();
            flag.block();
        });
        let start = Instant::now();
        while !ran.is_up() {
            running.run(async {});
            thread::sleep(Duration::from_millis(1));
        }
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{:?}",
            start.elapsed()
        );
        release.raise();
        block_on(blocker).unwrap();
    });
}

/// All other workers sleep, so only the monitor in the driver can find the task.
#[test]
fn stall_monitor_finds_lifo_task_of_blocked_worker() {
    within(LIMIT, || {
        for workers in [2, 4, 65] {
            let running = Running::new(workers);
            // Beside other programs, even a thread that only sleeps wakes up late.
            let is_late = || {
                let wait = median_of(|| wait_behind_a_long_poll(&running));
                wait >= Duration::from_millis(3)
                    && wait > 3 * median_of(wait_for_a_thread_that_sleeps)
            };
            let tries = (0..40).take_while(|_| is_late()).count();
            assert!(tries < 40, "{workers} workers");
        }
    });
}

fn median_of(mut wait: impl FnMut() -> Duration) -> Duration {
    let mut waits = [(); 10].map(|()| wait());
    waits.sort_unstable();
    waits[5]
}

/// Returns the delay of a thread that sleeps for as long as a task may wait for the monitor.
fn wait_for_a_thread_that_sleeps() -> Duration {
    let woken = Flag::default();
    let flag = woken.clone();
    let sleeper = thread::spawn(move || {
        thread::sleep(Duration::from_micros(800));
        flag.raise();
    });
    let waited = woken.block();
    sleeper.join().unwrap();
    waited
}

fn wait_behind_a_long_poll(running: &Running) -> Duration {
    running.settle();
    let release = Flag::default();
    let flag = release.clone();
    running.run(async move {
        // All other workers go to sleep meanwhile.
        thread::sleep(Duration::from_millis(2));
        let child = spawn_here(async move { flag.raise() });
        let waited = release.block();
        child.await.unwrap();
        waited
    })
}

/// Other workers can steal the tasks that a worker has fetched from the global queue.
#[test]
fn fetched_tasks_of_blocked_worker_are_stolen() {
    within(LIMIT, || {
        let running = Running::new(2);
        let flags = [Flag::default(), Flag::default(), Flag::default()];
        let block = |flag: &Flag| {
            let flag = flag.clone();
            running.spawn(async move { _ = flag.block() })
        };
        let entered = Arc::new(AtomicUsize::new(0));
        let busy = [0, 1].map(|n: usize| {
            let (flag, entered) = (flags[n].clone(), Arc::clone(&entered));
            running.spawn(async move {
                entered.fetch_add(1, Ordering::SeqCst);
                flag.block();
            })
        });
        while entered.load(Ordering::SeqCst) < 2 {
            thread::yield_now();
        }
        // The first free worker fetches the third blocker and some of the tasks after it.
        let third = block(&flags[2]);
        let behind: Vec<_> = (0..20).map(|_| running.spawn(async {})).collect();
        flags[0].raise();
        while running
            .handle
            .stats()
            .workers
            .iter()
            .all(|worker| worker.queued == 0)
        {
            thread::yield_now();
        }
        flags[1].raise();
        for task in behind {
            block_on(task).unwrap();
        }
        assert!(!third.is_finished());
        flags[2].raise();
        block_on(third).unwrap();
        for task in busy {
            block_on(task).unwrap();
        }
    });
}
