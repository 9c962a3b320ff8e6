//! A `LocalRuntime`: the future of `block_on`, its tasks, and other threads.

use shuttle::thread;

use super::{Census, Flag, explore};
use crate::runtime::{Builder, LocalRuntime, spawn_local};
use crate::task::yield_now;

fn local() -> LocalRuntime {
    let builder = Builder::new().start_paused(true);
    builder.build_local().expect("three descriptors")
}

#[test]
fn block_on_and_tasks_are_woken_externally() {
    explore(|| {
        let runtime = local();
        let [of_block_on, of_task] = [Flag::default(), Flag::default()];
        let (raises, other) = (of_block_on.clone(), of_task.clone());
        let threads = [
            thread::spawn(move || raises.raise()),
            thread::spawn(move || other.raise()),
        ];
        runtime.block_on(async {
            let task = spawn_local(async move { of_task.raised().await });
            of_block_on.raised().await;
            task.await.unwrap();
        });
        for thread in threads {
            thread.join().unwrap();
        }
    });
}

#[test]
fn external_spawn_and_join_wait_for_thread() {
    explore(|| {
        let runtime = local();
        let (handle, done) = (runtime.handle().clone(), Flag::default());
        let raises = done.clone();
        let outside = thread::spawn(move || {
            let task = handle.spawn(async {
                yield_now().await;
                7
            });
            let joined = task.join();
            raises.raise();
            joined.unwrap()
        });
        runtime.block_on(done.raised());
        assert_eq!(outside.join().unwrap(), 7);
    });
}

#[test]
fn external_join_during_local_shutdown_returns() {
    explore(|| {
        let runtime = local();
        let census = Census::default();
        let (handle, counted) = (runtime.handle().clone(), census.enter());
        let outside = thread::spawn(move || {
            let task = handle.spawn(async move {
                let _counted = counted;
                yield_now().await;
            });
            let joined = task.join();
            assert!(joined.is_ok() || joined.is_err_and(|error| error.is_cancelled()));
        });
        runtime.block_on(yield_now());
        drop(runtime);
        outside.join().unwrap();
        census.assert_empty();
    });
}
