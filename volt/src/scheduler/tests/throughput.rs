//! Many tasks: each completes, from any thread and on any worker.

use std::future::poll_fn;
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Poll, Waker};
use std::time::Duration;

use futures_lite::future::{block_on, yield_now};

use super::{LIMIT, Running, spawn_here, within};
use crate::scheduler::{Config, SchedulerHandle};

const TASKS: u64 = if cfg!(miri) { 200 } else { 1_000_000 };

/// Spawns half of the tasks from outside and half from tasks, in rounds, so that the workers go to
/// sleep in between.
fn spawn_a_million(workers: usize) {
    const ROUNDS: u64 = 100;
    within(LIMIT, move || {
        let running = Running::new(workers);
        let count = Arc::new(AtomicU64::new(0));
        for _ in 0..ROUNDS {
            let half = TASKS / ROUNDS / 2;
            let inner = Arc::clone(&count);
            let family = running.spawn(async move {
                let children: Vec<_> = (0..half).map(|_| spawn_here(bump(&inner))).collect();
                for child in children {
                    child.await.unwrap();
                }
            });
            let others: Vec<_> = (0..half).map(|_| running.spawn(bump(&count))).collect();
            block_on(async {
                for other in others {
                    other.await.unwrap();
                }
                family.await.unwrap();
            });
        }
        assert_eq!(count.load(Ordering::Relaxed), TASKS);
        let handle = running.stop();
        assert_eq!(
            (handle.stats().spawned, handle.stats().alive),
            (TASKS + ROUNDS, 0)
        );
    });
}

fn bump(count: &Arc<AtomicU64>) -> impl Future<Output = ()> + Send + use<> {
    let count = Arc::clone(count);
    async move {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_million_tasks_complete_on_one_worker() {
    spawn_a_million(1);
}

#[test]
fn a_million_tasks_complete_on_two_workers() {
    spawn_a_million(2);
}

#[test]
fn a_million_tasks_complete_on_four_workers() {
    spawn_a_million(4);
}

#[test]
fn a_million_tasks_complete_on_sixty_five_workers() {
    spawn_a_million(65);
}

#[test]
fn one_external_spawn_after_another_completes() {
    for workers in [1, 2, 64, 65, 130] {
        within(LIMIT, move || {
            let running = Running::new(workers);
            for n in 0..if cfg!(miri) { 5 } else { 2000 } {
                assert_eq!(running.run(async move { n }), n);
            }
        });
    }
}

#[test]
fn ring_overflows_into_the_global_queue() {
    within(LIMIT, || {
        let running = Running::new(1);
        let ran = running.run(async {
            let children: Vec<_> = (0..1000).map(|n| spawn_here(async move { n })).collect();
            let mut sum = 0;
            for child in children {
                sum += child.await.unwrap();
            }
            sum
        });
        assert_eq!(ran, 999 * 1000 / 2);
        let handle = running.stop();
        // The first task fills the slot, 256 the ring, and every 129th after them makes room.
        assert_eq!(handle.stats().workers[0].overflows, (1000 - 257) / 129 + 1);
    });
}

/// Runs more yielding tasks than the ring holds. Returns the number of polls, and the number of
/// tasks that the ring has moved to the global queue.
fn crowd(before_it_yields: impl FnOnce() + Send + 'static) -> (u64, u64) {
    const TASKS: u64 = 1000;
    const YIELDS: u64 = 100;
    within(LIMIT, || {
        let mut config = Config::new(1);
        config.queue_interval = Some(255);
        let running = Running::with(config);
        running.run(async {
            let yielding = || async {
                for _ in 0..YIELDS {
                    yield_now().await;
                }
            };
            let children: Vec<_> = (0..TASKS).map(|_| spawn_here(yielding())).collect();
            before_it_yields();
            for child in children {
                child.await.unwrap();
            }
        });
        let stats = running.stop().stats();
        (TASKS * YIELDS, stats.workers[0].overflows * 129)
    })
}

/// A worker that takes and polls a task from the global queue puts it into its ring. If it took
/// more than the ring has room for, the ring would spill as many again and again.
#[test]
fn full_ring_does_not_recirculate_through_injector() {
    let (polls, wandered) = crowd(|| {});
    assert!(wandered < polls / 4, "{wandered} of {polls}");
}

/// A task from outside makes workers check the global queue after a few polls. The hint must not
/// last for the tasks that the ring has spilled.
#[test]
fn external_hint_does_not_recirculate_a_full_ring() {
    let (polls, wandered) = crowd(|| {
        let here = SchedulerHandle::current().expect("on a worker");
        let outside = move || here.spawn(async {}, Location::caller()).detach();
        std::thread::spawn(outside).join().unwrap();
    });
    assert!(wandered < polls / 4, "{wandered} of {polls}");
}

#[test]
fn yielding_tasks_share_the_workers() {
    within(LIMIT, || {
        let running = Running::new(4);
        let tasks: Vec<_> = (0..200)
            .map(|_| {
                running.spawn(async {
                    for _ in 0..100 {
                        yield_now().await;
                    }
                })
            })
            .collect();
        block_on(async {
            for task in tasks {
                task.await.unwrap();
            }
        });
        let stats = running.handle.stats();
        assert!(stats.polled() >= 200 * 101, "{stats:?}");
    });
}

/// Two tasks on two schedulers wake each other: each must be queued on its own scheduler.
#[test]
fn two_schedulers_wake_each_other() {
    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 20_000 };
    within(LIMIT, || {
        let schedulers = [Running::new(2), Running::new(2)];
        let turn = Arc::new(AtomicU64::new(0));
        let wakers: Arc<[std::sync::Mutex<Option<Waker>>; 2]> = Arc::default();
        let players: Vec<_> = (0..2)
            .map(|me| {
                let (turn, wakers) = (Arc::clone(&turn), Arc::clone(&wakers));
                let home = schedulers[me].handle.clone();
                schedulers[me].spawn(poll_fn(move |cx| {
                    assert!(
                        SchedulerHandle::current() == Some(home.clone()),
                        "not at home"
                    );
                    *wakers[me].lock().unwrap() = Some(cx.waker().clone());
                    let now = turn.load(Ordering::SeqCst);
                    if now >= ROUNDS {
                        wakers[1 - me]
                            .lock()
                            .unwrap()
                            .as_ref()
                            .inspect(|w| w.wake_by_ref());
                        return Poll::Ready(());
                    }
                    if now % 2 == me as u64 {
                        turn.store(now + 1, Ordering::SeqCst);
                        wakers[1 - me]
                            .lock()
                            .unwrap()
                            .as_ref()
                            .inspect(|w| w.wake_by_ref());
                    }
                    Poll::Pending
                }))
            })
            .collect();
        for player in players {
            block_on(player).unwrap();
        }
    });
}

#[test]
fn equal_seeds_make_one_worker_repeat_itself() {
    let order = |seed| {
        within(Duration::from_secs(20), move || {
            let mut config = crate::scheduler::Config::new(1);
            (config.seed, config.queue_interval) = (Some(seed), Some(31));
            let running = Running::with(config);
            running.run(async {
                let log = Arc::new(std::sync::Mutex::new(Vec::new()));
                let children: Vec<_> = (0..50)
                    .map(|n| {
                        let log = Arc::clone(&log);
                        spawn_here(async move {
                            for _ in 0..n % 7 {
                                log.lock().unwrap().push(n);
                                yield_now().await;
                            }
                        })
                    })
                    .collect();
                for child in children {
                    child.await.unwrap();
                }
                let log = log.lock().unwrap();
                log.clone()
            })
        })
    };
    assert_eq!(order(1), order(1));
}
