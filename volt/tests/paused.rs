//! A paused clock, and threads that block in joins.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use volt::time::{now, pause, resume, sleep};
use volt::{Builder, Runtime, spawn, spawn_blocking};

const HOUR: Duration = Duration::from_secs(3_600);

fn paused(workers: usize) -> Runtime {
    let builder = Builder::new().worker_threads(workers).start_paused(true);
    builder.build().expect("a runtime")
}

#[test]
fn join_on_a_worker_lets_a_paused_clock_advance() {
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
fn join_in_block_on_lets_a_paused_clock_advance() {
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
fn join_from_outside_lets_a_paused_clock_advance() {
    let runtime = paused(2);
    let start = Instant::now();
    runtime.spawn(sleep(HOUR)).join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn join_in_a_task_polled_outside_lets_clock_advance() {
    let runtime = paused(1);
    let task = runtime.spawn(async {
        // A joining thread outside of the runtime may poll this task.
        spawn(sleep(HOUR)).join().unwrap();
    });
    task.join().unwrap();
}

#[test]
fn nested_block_on_lets_a_paused_clock_advance() {
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
fn job_run_in_a_join_lets_a_paused_clock_advance() {
    let builder = Builder::new().worker_threads(1).max_blocking_threads(1);
    let runtime = builder.start_paused(true).build().unwrap();
    let handle = runtime.handle().clone();
    runtime.block_on(async {
        let start = now();
        let outer = spawn_blocking(move || {
            let inner = handle.clone();
            let inner = spawn_blocking(move || inner.block_on(sleep(HOUR)));
            inner.join().unwrap();
            handle.block_on(sleep(HOUR));
        });
        outer.await.unwrap();
        assert_eq!(now() - start, 2 * HOUR);
    });
}

#[test]
fn paused_clock_does_not_skip_the_end_of_a_join() {
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

/// The join begins while its target is being polled and the clock runs, so the joiner keeps its
/// worker. The target can be a task of another runtime.
#[test]
fn sleeping_join_lets_a_paused_clock_advance() {
    let [runtime, other] = [(); 2].map(|()| {
        let builder = Builder::new().worker_threads(2);
        builder.build().unwrap()
    });
    for home in [&runtime, &other] {
        let [(begins, begun), (pauses, paused)] = [(); 2].map(|()| channel());
        let handle = runtime.handle().clone();
        let target = home.spawn(async move {
            begins.send(()).unwrap();
            paused.recv().unwrap();
            handle.spawn(async { sleep(HOUR).await }).await.unwrap();
        });
        let joiner = runtime.spawn(async move {
            begun.recv().unwrap();
            target.join().unwrap();
        });
        let start = Instant::now();
        runtime.block_on(async {
            // The joiner falls asleep during this pause.
            thread::sleep(Duration::from_millis(100));
            pause();
            pauses.send(()).unwrap();
            joiner.await.unwrap();
            resume();
        });
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
