//! Many spawns from a thread that is not a worker, with idle and with busy workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::executor::Executor;
use crate::workload::{Describe, Run, Target, Workload, timed};

/// The time for which a busy task occupies its worker.
const STALL: Duration = Duration::from_micros(10);

pub(crate) struct SpawnManyRemoteIdle;

impl Describe for SpawnManyRemoteIdle {
    const NAME: &'static str = "spawn_many_remote_idle";
    const ABOUT: &'static str = "10,000 tasks spawned from outside, then awaited";
}

impl Workload for SpawnManyRemoteIdle {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        timed(move || spawn_and_join(&executor, 10_000))
    }
}

pub(crate) struct SpawnManyRemoteBusy1;

impl Describe for SpawnManyRemoteBusy1 {
    const NAME: &'static str = "spawn_many_remote_busy1";
    const ABOUT: &'static str = "the same, while 8 tasks yield and stall for 10 µs";
    const NEEDS_FAIRNESS: bool = true;
}

impl Workload for SpawnManyRemoteBusy1 {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        beside(
            move |busy| {
                for _ in 0..8 {
                    let busy = Arc::clone(busy);
                    E::detach(executor.spawn(async move {
                        while busy.load(Ordering::Relaxed) {
                            E::yield_now().await;
                            stall();
                        }
                    }));
                }
                executor.clone()
            },
            10_000,
        )
    }
}

pub(crate) struct SpawnManyRemoteBusy2;

impl Describe for SpawnManyRemoteBusy2 {
    const NAME: &'static str = "spawn_many_remote_busy2";
    const ABOUT: &'static str = "1,000 tasks, while 4 chains of tasks respawn themselves";
    const NEEDS_FAIRNESS: bool = true;
    const TARGET: Option<Target> = Some(Target::AtMost(0.2e-3));
}

impl Workload for SpawnManyRemoteBusy2 {
    fn prepare<E: Executor>(executor: &E) -> Run {
        let executor = executor.clone();
        beside(
            move |busy| {
                for _ in 0..4 {
                    let busy = Arc::clone(busy);
                    E::detach(executor.spawn(async move { respawn::<E>(busy) }));
                }
                executor.clone()
            },
            1_000,
        )
    }
}

fn spawn_and_join<E: Executor>(executor: &E, count: usize) {
    let handles: Vec<_> = (0..count).map(|_| executor.spawn(async {})).collect();
    executor.block_on(async {
        for handle in handles {
            E::join(handle).await;
        }
    });
}

/// Returns a run of `count` spawns next to the tasks that `start` spawns. These tasks end when the
/// flag is cleared.
fn beside<E: Executor>(start: impl Fn(&Arc<AtomicBool>) -> E + 'static, count: usize) -> Run {
    Box::new(move |costs| {
        let busy = Arc::new(AtomicBool::new(true));
        let executor = start(&busy);
        thread::sleep(Duration::from_millis(1));
        let start = Instant::now();
        spawn_and_join(&executor, count);
        let took = start.elapsed().as_secs_f64();
        busy.store(false, Ordering::Relaxed);
        // The busy tasks own clones of the flag, so a count of one means that they have ended.
        while Arc::strong_count(&busy) > 1 {
            thread::yield_now();
        }
        costs.push(took);
    })
}

fn respawn<E: Executor>(busy: Arc<AtomicBool>) {
    if busy.load(Ordering::Relaxed) {
        E::detach(E::spawn_here(async move {
            stall();
            respawn::<E>(busy);
        }));
    }
}

fn stall() {
    let start = Instant::now();
    while start.elapsed() < STALL {
        thread::yield_now();
    }
}
