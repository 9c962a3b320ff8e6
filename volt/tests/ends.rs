//! Runtimes that drop each other in their tasks.

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use volt::{Builder, Runtime};

/// Fails if `work` does not end in time.
fn within(work: impl FnOnce() + Send + 'static) {
    let (done, wait) = channel();
    let worker = thread::spawn(move || {
        work();
        done.send(())
    });
    let ended = wait.recv_timeout(Duration::from_secs(60));
    assert!(
        ended.is_ok(),
        "no end, or a panic: {:?}",
        worker.is_finished()
    );
}

/// Returns a runtime whose drop waits for a long time.
fn patient(workers: usize) -> Runtime {
    let builder = Builder::new().worker_threads(workers);
    builder
        .shutdown_timeout(Duration::from_secs(600))
        .build()
        .unwrap()
}

/// Spawns a task that drops the runtime it receives, at the same time as all other such tasks.
fn drops_another(runtime: &Runtime, both: &std::sync::Arc<std::sync::Barrier>) -> Sender<Runtime> {
    let (give, given) = channel::<Runtime>();
    let both = both.clone();
    let task = runtime.spawn(async move {
        let other = given.recv().unwrap();
        both.wait();
        drop(other);
    });
    task.detach();
    give
}

#[test]
fn runtimes_dropping_each_other_in_a_cycle_end() {
    for (count, workers) in [(2, 1), (2, 3), (3, 1), (4, 2)] {
        within(move || {
            let barrier = std::sync::Arc::new(std::sync::Barrier::new(count));
            let mut runtimes: Vec<_> = (0..count).map(|_| patient(workers)).collect();
            let handles: Vec<_> = runtimes
                .iter()
                .map(|runtime| runtime.handle().clone())
                .collect();
            let gives: Vec<_> = runtimes
                .iter()
                .map(|runtime| drops_another(runtime, &barrier))
                .collect();
            runtimes.rotate_left(1);
            for (give, runtime) in gives.into_iter().zip(runtimes) {
                give.send(runtime).unwrap();
            }
            while handles.iter().any(|handle| handle.stats().alive > 0) {
                thread::yield_now();
            }
        });
    }
}

/// A joining thread polls the task of the second runtime.
#[test]
fn runtimes_dropping_each_other_in_a_join_end() {
    within(|| {
        let (first, second) = (patient(1), patient(1));
        let barrier = std::sync::Arc::new(std::sync::Barrier::new(2));
        let give = drops_another(&first, &barrier);
        let (release, wait) = channel::<()>();
        let (begun, begins) = channel();
        let busy = second.spawn(async move {
            begun.send(()).unwrap();
            let _ = wait.recv();
        });
        busy.detach();
        begins.recv().unwrap();
        let joined = second.spawn(async move {
            barrier.wait();
            drop(first);
        });
        drop(give.send(second));
        let joiner = thread::spawn(|| joined.join());
        thread::sleep(Duration::from_millis(20));
        drop(release);
        joiner.join().unwrap().unwrap();
    });
}

/// The thread is in the runtime, so the join polls the task.
#[test]
fn runtime_dropped_in_a_task_under_its_guard_ends() {
    within(|| {
        let runtime = patient(1);
        let handle = runtime.handle().clone();
        let (release, wait) = channel::<()>();
        let (begun, begins) = channel();
        let busy = runtime.spawn(async move {
            begun.send(()).unwrap();
            let _ = wait.recv();
        });
        begins.recv().unwrap();
        let _entered = handle.enter();
        let task = handle.spawn(async move {
            drop(release);
            drop(runtime);
        });
        task.join().unwrap();
        busy.detach();
    });
}
