//! The shutdown of a runtime, concurrent with its tasks.

use std::future::pending;

use shuttle::thread;

use super::{Census, explore, runtime};
use crate::runtime::spawn;
use crate::task::{shield, yield_now};

#[test]
fn shutdown_drops_tasks_in_every_state() {
    explore(|| {
        let runtime = runtime(2);
        let census = Census::default();
        let [idle, yields, shielded, queued] = [(); 4].map(|()| census.enter());
        let tasks = [
            runtime.spawn(async move {
                let _counted = idle;
                pending().await
            }),
            runtime.spawn(async move {
                let _counted = yields;
                loop {
                    yield_now().await;
                    thread::yield_now();
                }
            }),
            runtime.spawn(async move {
                let (_counted, _shield) = (shielded, shield());
                pending().await
            }),
            runtime.spawn(async move { drop(queued) }),
        ];
        drop(runtime);
        for task in tasks {
            let ended = shuttle::future::block_on(task);
            assert!(ended.is_ok() || ended.is_err_and(|error| error.is_cancelled()));
        }
        census.assert_empty();
    });
}

#[test]
fn spawn_during_shutdown_completes_or_fails() {
    explore(|| {
        let runtime = runtime(2);
        let census = Census::default();
        let (handle, others) = (runtime.handle().clone(), census.clone());
        let spawner = thread::spawn(move || {
            [(); 3].map(|()| {
                let counted = others.enter();
                handle.spawn(async move {
                    let counted = counted;
                    let inner = spawn(async move { drop(counted) });
                    yield_now().await;
                    inner.await.is_ok()
                })
            })
        });
        drop(runtime);
        for task in spawner.join().unwrap() {
            let ended = shuttle::future::block_on(task);
            assert!(ended.is_ok() || ended.is_err_and(|error| error.is_cancelled()));
        }
        census.assert_empty();
    });
}

/// The last worker waits for a poll on a thread that is not a worker.
#[test]
fn external_join_during_shutdown_returns() {
    explore(|| {
        let runtime = runtime(1);
        let census = Census::default();
        let counted = census.enter();
        let task = runtime.spawn(async move {
            let (_counted, _shield) = (counted, shield());
            yield_now().await;
            thread::yield_now();
            pending::<()>().await;
        });
        let joiner = thread::spawn(move || task.join());
        drop(runtime);
        assert!(joiner.join().unwrap().unwrap_err().is_cancelled());
        census.assert_empty();
    });
}

#[test]
fn dump_during_shutdown_completes() {
    explore(|| {
        let runtime = runtime(2);
        let task = runtime.spawn(async {
            let _shield = shield();
            yield_now().await;
            pending::<()>().await;
        });
        let handle = runtime.handle().clone();
        let dumper = thread::spawn(move || handle.dump().tasks().len());
        drop(runtime);
        assert!(dumper.join().unwrap() <= 1);
        assert!(shuttle::future::block_on(task).unwrap_err().is_cancelled());
    });
}
