//! Cancellation, concurrent with other operations on a task.

use std::future::pending;

use shuttle::thread;

use super::{Census, Flag, explore, runtime};
use crate::task::{shield, yield_now};

#[test]
fn cancelled_task_ends_once_in_any_state() {
    explore(|| {
        let runtime = runtime(2);
        let census = Census::default();
        let counted = census.enter();
        let task = runtime.spawn(async move {
            let _counted = counted;
            yield_now().await;
            pending::<()>().await;
        });
        let abort = task.abort_handle();
        let thread = thread::spawn(move || abort.cancel());
        assert!(runtime.block_on(task).unwrap_err().is_cancelled());
        thread.join().unwrap();
        census.assert_empty();
    });
}

#[test]
fn concurrent_cancel_and_wake_end_task_once() {
    explore(|| {
        let runtime = runtime(2);
        let (census, flag) = (Census::default(), Flag::default());
        let (counted, raised) = (census.enter(), flag.clone());
        let task = runtime.spawn(async move {
            let counted = counted;
            raised.raised().await;
            counted
        });
        let waker = thread::spawn(move || flag.raise());
        let abort = task.abort_handle();
        let canceller = thread::spawn(move || abort.cancel());
        match runtime.block_on(task) {
            Ok(counted) => drop(counted),
            Err(error) => assert!(error.is_cancelled()),
        }
        waker.join().unwrap();
        canceller.join().unwrap();
        drop(runtime);
        census.assert_empty();
    });
}

#[test]
fn shield_defers_cancellation() {
    explore(|| {
        let runtime = runtime(2);
        let (census, flag) = (Census::default(), Flag::default());
        let (counted, raised) = (census.enter(), flag.clone());
        let task = runtime.spawn(async move {
            let shield = shield();
            raised.raised().await;
            drop((counted, shield));
            pending::<()>().await;
        });
        let abort = task.abort_handle();
        let canceller = thread::spawn(move || abort.cancel());
        let waker = thread::spawn(move || flag.raise());
        assert!(runtime.block_on(task).unwrap_err().is_cancelled());
        canceller.join().unwrap();
        waker.join().unwrap();
        census.assert_empty();
    });
}

#[test]
fn dropped_handle_detaches_task() {
    explore(|| {
        let runtime = runtime(2);
        let (census, done) = (Census::default(), Flag::default());
        let (counted, raises) = (census.enter(), done.clone());
        let task = runtime.spawn(async move {
            yield_now().await;
            raises.raise();
            counted
        });
        drop(task);
        runtime.block_on(done.raised());
        drop(runtime);
        census.assert_empty();
    });
}
