//! Tasks that are spawned by several threads, and wake each other.

use shuttle::thread;

use super::{Flag, explore, runtime};
use crate::runtime::spawn;
use crate::task::yield_now;

/// Workers sleep between two tasks.
#[test]
fn external_tasks_complete_one_by_one() {
    for workers in [1, 2, 3] {
        explore(move || {
            let runtime = runtime(workers);
            for number in 0..3 {
                let task = runtime.spawn(async move { number });
                assert_eq!(runtime.block_on(task).unwrap(), number);
            }
        });
    }
}

#[test]
fn tasks_from_two_threads_complete() {
    explore(|| {
        let runtime = runtime(2);
        let handle = runtime.handle().clone();
        let other = thread::spawn(move || [0, 1].map(|n| handle.spawn(async move { n })));
        let mine = [2, 3].map(|n| runtime.spawn(async move { n }));
        for task in mine.into_iter().chain(other.join().unwrap()) {
            runtime.block_on(task).unwrap();
        }
    });
}

/// The other worker may steal the spawned tasks.
#[test]
fn tasks_spawned_by_tasks_complete() {
    explore(|| {
        let runtime = runtime(2);
        let sum = runtime.block_on(runtime.spawn(async {
            let children = [1, 2, 3].map(|n| {
                spawn(async move {
                    yield_now().await;
                    spawn(async move { n }).await.unwrap()
                })
            });
            let mut sum = 0;
            for child in children {
                sum += child.await.unwrap();
            }
            sum
        }));
        assert_eq!(sum.unwrap(), 6);
    });
}

#[test]
fn two_tasks_wake_each_other() {
    explore(|| {
        let runtime = runtime(2);
        let [ping, pong] = [Flag::default(), Flag::default()];
        let (other_ping, other_pong) = (ping.clone(), pong.clone());
        let other = runtime.spawn(async move {
            for _ in 0..2 {
                other_ping.raised().await;
                other_pong.raise();
            }
        });
        runtime.block_on(async {
            for _ in 0..2 {
                ping.raise();
                pong.raised().await;
            }
        });
        runtime.block_on(other).unwrap();
    });
}

#[test]
fn two_runtimes_wake_each_other() {
    explore(|| {
        let (one, two) = (runtime(1), runtime(1));
        let [ping, pong] = [Flag::default(), Flag::default()];
        let (other_ping, other_pong) = (ping.clone(), pong.clone());
        let first = one.spawn(async move {
            ping.raise();
            pong.raised().await;
        });
        let second = two.spawn(async move {
            other_ping.raised().await;
            other_pong.raise();
        });
        two.block_on(first).unwrap();
        one.block_on(second).unwrap();
    });
}

#[test]
fn wake_from_plain_thread_runs_task() {
    explore(|| {
        let runtime = runtime(2);
        let flag = Flag::default();
        let raises = flag.clone();
        let thread = thread::spawn(move || raises.raise());
        let task = runtime.spawn(async move { flag.raised().await });
        runtime.block_on(task).unwrap();
        thread.join().unwrap();
    });
}
