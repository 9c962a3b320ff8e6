//! Futures as large as a stack, which are not copied on it.

use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use volt::time::sleep;
use volt::{JoinHandle, LocalRuntime, Runtime};

const LARGE: usize = 1 << 20;

/// A future of one megabyte.
async fn large() -> usize {
    let bytes = [1_u8; LARGE];
    volt::task::yield_now().await;
    bytes.iter().map(|&byte| usize::from(byte)).sum()
}

/// Returns the result of `spawns` on a thread whose stack has room for five such futures. One
/// future is created there, and without optimization the first calls copy it up to three times.
fn on_a_small_stack(spawns: impl FnOnce() -> usize + Send + 'static) -> usize {
    let spawner = std::thread::Builder::new().stack_size(5 * LARGE + LARGE / 2);
    spawner.spawn(spawns).unwrap().join().unwrap()
}

/// Returns a runtime whose worker has a stack smaller than the future, so no copy fits there.
fn runtime_with_a_small_stack() -> Runtime {
    let builder = Runtime::builder().worker_threads(1);
    builder.thread_stack_size(LARGE / 2).build().unwrap()
}

#[test]
fn large_future_is_spawned_from_a_small_stack() {
    let spawns: [fn(&Runtime) -> JoinHandle<usize>; 6] = [
        |runtime| runtime.spawn(large()),
        |runtime| runtime.handle().spawn(large()),
        |runtime| runtime.handle().spawn_named("large", large()),
        |_| volt::spawn(large()),
        |_| volt::TaskBuilder::new().spawn(large()),
        |_| volt::TaskBuilder::new().name("large").spawn(large()),
    ];
    for spawn in spawns {
        let result = on_a_small_stack(move || {
            let runtime = runtime_with_a_small_stack();
            let _entered = runtime.enter();
            runtime.block_on(spawn(&runtime)).unwrap()
        });
        assert_eq!(result, LARGE);
    }
}

#[test]
fn large_local_future_is_spawned_from_a_small_stack() {
    let spawns: [fn(&LocalRuntime) -> JoinHandle<usize>; 2] = [
        |runtime| runtime.spawn_local(large()),
        |runtime| runtime.block_on(poll_fn(|_| Poll::Ready(volt::spawn_local(large())))),
    ];
    for spawn in spawns {
        let result = on_a_small_stack(move || {
            let runtime = LocalRuntime::new().unwrap();
            let task = spawn(&runtime);
            runtime.block_on(task).unwrap()
        });
        assert_eq!(result, LARGE);
    }
}

#[test]
fn large_group_child_is_spawned_from_a_small_stack() {
    let result = on_a_small_stack(|| {
        let runtime = runtime_with_a_small_stack();
        let _entered = runtime.enter();
        let mut group = volt::Group::new(volt::Current);
        group.spawn(large());
        runtime.block_on(async { group.wait().await.unwrap() })[0]
    });
    assert_eq!(result, LARGE);
}

#[test]
fn block_on_of_a_large_future_uses_a_small_stack() {
    let blocks: [fn() -> usize; 3] = [
        || volt::block_on(large()),
        || runtime_with_a_small_stack().block_on(large()),
        || LocalRuntime::new().unwrap().block_on(large()),
    ];
    for block in blocks {
        assert_eq!(on_a_small_stack(block), LARGE);
    }
}

#[volt::state_machine]
async fn large_machine() {
    let bytes = [1_u8; 20 << 10];
    sleep(Duration::from_hours(1)).await;
    std::hint::black_box(bytes);
}

#[test]
fn dump_describes_a_large_machine_itself() {
    let runtime = LocalRuntime::new().unwrap();
    let handle = runtime.handle();
    let task = handle.spawn_named("large", large_machine());
    runtime.block_on(volt::task::yield_now());
    let dump = runtime.dump();
    let info = &dump.tasks()[0];
    assert_eq!(info.future_size, size_of_val(&large_machine()));
    assert!(info.type_name.ends_with("LargeMachine"), "{info:?}");
    assert_eq!(info.name.as_deref(), Some("large"));
    assert_eq!(info.position.len(), 1, "{info:?}");
    task.cancel();
}
