//! A paused clock, and threads that block in joins.

use std::time::{Duration, Instant};

use volt::time::{now, sleep};
use volt::{Builder, Runtime, spawn, spawn_blocking};

const HOUR: Duration = Duration::from_secs(3_600);

fn paused(workers: usize) -> Runtime {
    let builder = Builder::new().worker_threads(workers).start_paused(true);
    builder.build().expect("a runtime")
}

#[test]
fn join_on_a_worker_lets_time_pass() {
    for workers in [1, 2] {
        let runtime = paused(workers);
        let task = runtime.spawn(async {
            let start = now();
            spawn(sleep(HOUR)).join().unwrap();
            now() - start
        });
        assert_eq!(runtime.block_on(task).unwrap(), HOUR);
    }
}

#[test]
fn join_in_a_blocked_future_lets_time_pass() {
    for workers in [1, 2] {
        let runtime = paused(workers);
        let slept = runtime.block_on(async {
            let start = now();
            spawn(sleep(HOUR)).join().unwrap();
            now() - start
        });
        assert_eq!(slept, HOUR);
    }
}

#[test]
fn join_from_outside_lets_time_pass() {
    let runtime = paused(2);
    let start = Instant::now();
    runtime.spawn(sleep(HOUR)).join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn join_within_a_task_that_runs_outside_lets_time_pass() {
    let runtime = paused(1);
    let task = runtime.spawn(async {
        // Whoever joins it from outside may poll it there.
        spawn(sleep(HOUR)).join().unwrap();
    });
    task.join().unwrap();
}

#[test]
fn block_within_a_job_or_a_block_lets_time_pass() {
    let runtime = paused(2);
    let handle = runtime.handle().clone();
    runtime.block_on(async {
        let start = now();
        let job = spawn_blocking(move || handle.block_on(sleep(HOUR)));
        job.await.unwrap();
        assert_eq!(now() - start, HOUR);
        runtime.block_on(sleep(HOUR));
        assert_eq!(now() - start, 2 * HOUR);
    });
}

#[test]
fn clock_does_not_jump_over_the_end_of_a_join() {
    for workers in [1, 2] {
        let runtime = paused(workers);
        let _ticking = runtime.spawn(async {
            loop {
                sleep(Duration::from_millis(1)).await;
            }
        });
        let task = runtime.spawn(async {
            for round in 0..200 {
                let ended = spawn(async {
                    sleep(Duration::from_micros(300)).await;
                    now()
                });
                let ended = ended.join().unwrap();
                assert_eq!(ended, now(), "round {round}");
            }
        });
        runtime.block_on(task).unwrap();
    }
}
