//! Handles that cancel their tasks, in races and alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_lite::future::{block_on, poll_once};
use volt::future::race;
use volt::task::{AbortHandle, yield_now};
use volt::time::{sleep, timeout};
use volt::{Builder, JoinHandle, Runtime};

fn runtime() -> Runtime {
    Builder::new().worker_threads(2).build().unwrap()
}

/// Returns a task that never completes, and a reference to the value that its future owns.
fn waits(runtime: &Runtime) -> (JoinHandle<()>, Arc<()>) {
    let owned = Arc::new(());
    let held = Arc::clone(&owned);
    let task = runtime.spawn(async move {
        sleep(Duration::from_secs(3600)).await;
        drop(held);
    });
    (task, owned)
}

fn wait_for(task: &AbortHandle) {
    let begun = Instant::now();
    while !task.is_finished() {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "the task is not cancelled"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn loser_of_a_race_is_cancelled() {
    let runtime = runtime();
    let (slow, owned) = waits(&runtime);
    let loser = slow.abort_handle();
    let quick = runtime.spawn(async {});
    runtime
        .block_on(race(quick.cancel_on_drop(), slow.cancel_on_drop()))
        .unwrap();
    wait_for(&loser);
    assert_eq!(Arc::strong_count(&owned), 1);
}

#[test]
fn plain_handle_detaches_its_task_when_dropped() {
    let runtime = runtime();
    let (slow, owned) = waits(&runtime);
    let loser = slow.abort_handle();
    let quick = runtime.spawn(async {});
    runtime.block_on(race(quick, slow)).unwrap();
    runtime.spawn(async {}).join().unwrap();
    assert!(!loser.is_finished());
    assert_eq!(Arc::strong_count(&owned), 2);
}

#[test]
fn elapsed_timeout_cancels_the_task() {
    let runtime = runtime();
    let (slow, _owned) = waits(&runtime);
    let watch = slow.abort_handle();
    let limited = async { timeout(Duration::from_millis(1), slow.cancel_on_drop()).await };
    assert!(runtime.block_on(limited).is_err());
    wait_for(&watch);
}

#[test]
fn handle_awaited_to_the_end_cancels_nothing() {
    let runtime = runtime();
    let task = runtime.spawn(async {
        yield_now().await;
        7
    });
    let mut task = task.cancel_on_drop();
    assert_eq!(runtime.block_on(&mut task).unwrap(), 7);
    assert!(task.is_finished());
    drop(task);
    let joined = runtime.spawn(async { 8 }).cancel_on_drop();
    assert_eq!(joined.join().unwrap(), 8);
}

#[test]
fn into_handle_detaches_on_drop_again() {
    let runtime = runtime();
    let (task, owned) = waits(&runtime);
    drop(task.cancel_on_drop().into_handle());
    runtime.spawn(async {}).join().unwrap();
    assert_eq!(Arc::strong_count(&owned), 2);
}

#[test]
fn failed_join_cancels_the_task() {
    let runtime = Builder::new().worker_threads(1).max_spare_threads(0);
    let runtime = runtime.build().unwrap();
    let (task, _owned) = waits(&runtime);
    let watch = task.abort_handle();
    let joiner = runtime.spawn(async { task.cancel_on_drop().join() });
    let refused = runtime.block_on(joiner).unwrap();
    assert!(refused.unwrap_err().is_out_of_threads());
    wait_for(&watch);
}

#[test]
fn second_take_of_a_result_panics() {
    let runtime = runtime();
    let mut task = runtime.spawn(async { 7 });
    assert_eq!(runtime.block_on(&mut task).unwrap(), 7);
    assert!(task.is_finished() && task.abort_handle().is_finished());
    task.cancel();
    let text = |panics: Box<dyn FnOnce() + '_>| {
        let payload = catch_unwind(AssertUnwindSafe(panics)).unwrap_err();
        payload.downcast_ref::<String>().map_or_else(
            || payload.downcast_ref::<&str>().unwrap().to_string(),
            Clone::clone,
        )
    };
    let late = "after its result was taken";
    assert!(text(Box::new(|| _ = block_on(poll_once(&mut task)))).contains(late));
    assert!(text(Box::new(|| _ = task.join())).contains(late));
}
