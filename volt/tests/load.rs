//! Many tasks and many timers, with few workers and with more than 64. No protocol of the runtime
//! has a timeout, so a lost wake-up hangs the test.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use volt::Runtime;
use volt::time::sleep_until;

const TASKS: usize = 1_000_000;
const TIMERS: usize = 100_000;

fn runtime(workers: usize) -> Runtime {
    Runtime::builder().worker_threads(workers).build().unwrap()
}

/// Spawns tasks from outside, and children from these tasks. Some children yield, and the parents
/// await them.
fn complete_a_million_tasks(workers: usize) {
    const FAMILY: usize = 100;
    let runtime = runtime(workers);
    let done = Arc::new(AtomicUsize::new(0));
    let parents: Vec<_> = (0..TASKS / FAMILY)
        .map(|_| {
            let done = Arc::clone(&done);
            runtime.spawn(async move {
                let children: Vec<_> = (1..FAMILY)
                    .map(|n| {
                        let done = Arc::clone(&done);
                        volt::spawn(async move {
                            if n % 10 == 0 {
                                volt::task::yield_now().await;
                            }
                            done.fetch_add(1, Relaxed);
                        })
                    })
                    .collect();
                for child in children {
                    child.await.unwrap();
                }
                done.fetch_add(1, Relaxed);
            })
        })
        .collect();
    for parent in parents {
        runtime.block_on(parent).unwrap();
    }
    assert_eq!(done.load(Relaxed), TASKS);
    let stats = runtime.stats();
    assert_eq!(stats.spawned, TASKS as u64);
    assert_eq!(stats.alive, 0);
}

/// Starts sleeps that end within one second, in no order. No sleep may end early, or so late that
/// it was woken by another event. Prints the delays.
fn fire_a_hundred_thousand_timers(workers: usize) {
    let runtime = runtime(workers);
    let begin = Instant::now();
    let tasks: Vec<_> = (0..TIMERS)
        .map(|n| {
            // The deadlines cover each millisecond of the second.
            let millis = 200 + (n * 617) % 1000;
            let deadline = begin + Duration::from_millis(millis as u64);
            runtime.spawn(async move {
                sleep_until(deadline).await;
                Instant::now().checked_duration_since(deadline)
            })
        })
        .collect();
    let mut late = Vec::with_capacity(TIMERS);
    for task in tasks {
        late.push(
            runtime
                .block_on(task)
                .unwrap()
                .expect("a timer fired early"),
        );
    }
    late.sort();
    let (median, most) = (late[TIMERS / 2], late[TIMERS - 1]);
    assert!(most < Duration::from_secs(5), "a timer fired {most:?} late");
    println!("{workers} workers: {TIMERS} timers late by {median:?} (median), {most:?} (most)");
}

macro_rules! with_workers {
    ($($count:literal: $tasks:ident, $timers:ident;)*) => {$(
        #[test]
        fn $tasks() {
            complete_a_million_tasks($count);
        }

        #[test]
        fn $timers() {
            fire_a_hundred_thousand_timers($count);
        }
    )*};
}

with_workers! {
    1: million_tasks_complete_on_1_worker, timers_fire_on_1_worker;
    2: million_tasks_complete_on_2_workers, timers_fire_on_2_workers;
    4: million_tasks_complete_on_4_workers, timers_fire_on_4_workers;
    65: million_tasks_complete_on_65_workers, timers_fire_on_65_workers;
}
