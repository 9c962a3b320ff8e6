//! Threads that block in joins, on workers and on other threads.

use shuttle::thread;

use super::{Flag, explore, runtime};
use crate::runtime::{spawn, spawn_blocking};
use crate::task::yield_now;

#[test]
fn external_join_polls_or_waits() {
    explore(|| {
        let runtime = runtime(1);
        let tasks = [0, 1].map(|n| {
            runtime.spawn(async move {
                yield_now().await;
                n
            })
        });
        for (n, task) in tasks.into_iter().enumerate() {
            assert_eq!(task.join().unwrap(), n);
        }
    });
}

#[test]
fn join_on_only_worker_returns() {
    explore(|| {
        let runtime = runtime(1);
        let flag = Flag::default();
        let raises = flag.clone();
        let task = runtime.spawn(async move {
            let child = spawn(async move { flag.raised().await });
            let other = spawn(async move {
                yield_now().await;
                raises.raise();
            });
            child.join().unwrap();
            other.join().unwrap();
        });
        runtime.block_on(task).unwrap();
    });
}

#[test]
fn chain_of_joins_ends() {
    explore(|| {
        let runtime = runtime(2);
        let task = runtime.spawn(async {
            let outer = spawn(async {
                let inner = spawn(async {
                    yield_now().await;
                    1
                });
                inner.join().unwrap() + 1
            });
            outer.join().unwrap() + 1
        });
        assert_eq!(task.join().unwrap(), 3);
    });
}

#[test]
fn cycle_of_joins_returns_an_error() {
    explore(|| {
        let runtime = runtime(2);
        let slots = [(); 2].map(|()| std::sync::Arc::new(shuttle::sync::Mutex::new(None)));
        let flags = [Flag::default(), Flag::default()];
        let tasks = [0, 1].map(|n| {
            let (slot, flag) = (slots[n].clone(), flags[n].clone());
            runtime.spawn(async move {
                flag.raised().await;
                let other: crate::task::JoinHandle<bool> = slot.lock().unwrap().take().unwrap();
                other.join().is_err_and(|error| error.is_deadlock())
            })
        });
        let [first, second] = tasks;
        let watch = first.abort_handle();
        *slots[1].lock().unwrap() = Some(first);
        *slots[0].lock().unwrap() = Some(second);
        flags.iter().for_each(Flag::raise);
        while !watch.is_finished() {
            thread::yield_now();
        }
    });
}

#[test]
fn blocking_jobs_end() {
    explore(|| {
        let runtime = runtime(1);
        runtime.block_on(async {
            let jobs = [0, 1].map(|n| spawn_blocking(move || n));
            for (n, job) in jobs.into_iter().enumerate() {
                assert_eq!(job.await.unwrap(), n);
            }
        });
    });
}

/// A thread of the pool may take the inner job while the outer one claims it.
#[test]
fn blocking_job_joining_jobs_ends() {
    explore(|| {
        let runtime = runtime(1);
        let outer = runtime.spawn_blocking(|| {
            let jobs = [0, 1].map(|n| spawn_blocking(move || n));
            jobs.into_iter().map(|job| job.join().unwrap()).sum::<i32>()
        });
        assert_eq!(outer.join().unwrap(), 1);
        assert_eq!(runtime.dump().tasks().len(), 0);
    });
}
