//! Settings of a builder and their effects.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::{Builder, spawn_abandonable};
use crate::task::yield_now;

/// Returns the number of batches in which a busy worker runs 100 external tasks.
fn batches(interval: u32) -> usize {
    let runtime = Builder::new().queue_interval(interval).build_local();
    let runtime = runtime.expect("a runtime");
    let polls = Arc::new(AtomicUsize::new(0));
    let seen = runtime.block_on(async {
        let (handle, polls) = (runtime.handle().clone(), Arc::clone(&polls));
        let counted = Arc::clone(&polls);
        let spins = runtime.spawn_local(async move {
            loop {
                counted.fetch_add(1, SeqCst);
                yield_now().await;
            }
        });
        yield_now().await;
        let spawn = move |_| {
            let polls = Arc::clone(&polls);
            handle.spawn(async move { polls.load(SeqCst) })
        };
        let outside = thread::spawn(move || (0..100).map(spawn).collect::<Vec<_>>());
        let mut seen = BTreeSet::new();
        for task in outside.join().expect("it spawns") {
            seen.insert(task.await.expect("it ran"));
        }
        spins.cancel();
        seen
    });
    seen.len()
}

#[test]
fn builder_sets_queue_interval() {
    let found = [1, 10, 1_000].map(batches);
    let is_fewer_the_longer = found.is_sorted_by(|shorter, longer| shorter > longer);
    assert!(is_fewer_the_longer && found[2] == 1, "{found:?}");
}

/// Returns `true` if the pool has threads, by its `Debug` text.
fn has_pool_threads(handle: &super::Handle) -> bool {
    !format!("{:?}", handle.blocking).contains("threads: 0")
}

#[test]
fn idle_pool_thread_ends_after_keep_alive() {
    let mut builder = Builder::new().worker_threads(1);
    builder = builder.thread_keep_alive(Duration::from_millis(20));
    let runtime = builder.build().expect("a runtime");
    for _ in 0..3 {
        let job = runtime.spawn_blocking(|| 7);
        assert_eq!(runtime.block_on(job).expect("it ran"), 7);
        let is_available = |_: &u32| has_pool_threads(runtime.handle());
        let waits = (0..5_000).take_while(is_available);
        waits.for_each(|_| thread::sleep(Duration::from_millis(1)));
        assert!(
            !has_pool_threads(runtime.handle()),
            "{:?}",
            runtime.handle()
        );
    }
    let mut builder = Builder::new().worker_threads(1);
    builder = builder.thread_keep_alive(Duration::from_secs(3_600));
    let runtime = builder.build().expect("a runtime");
    let job = runtime.spawn_blocking(|| ());
    runtime.block_on(job).expect("it ran");
    thread::sleep(Duration::from_millis(50));
    assert!(
        has_pool_threads(runtime.handle()),
        "the thread waits for the next job"
    );
}

#[test]
fn shutdown_does_not_wait_for_abandonable_job() {
    let runtime = Builder::new().worker_threads(1).build();
    let runtime = runtime.expect("a runtime");
    let (leave, left) = channel::<()>();
    let (begins, has_begun) = channel();
    let entered = runtime.enter();
    let question = spawn_abandonable(move || {
        begins.send(()).expect("it is received");
        left.recv().is_err()
    });
    has_begun.recv().expect("it begins");
    drop(entered);
    assert!(runtime.shutdown(Duration::MAX).tasks().is_empty());
    assert!(!question.is_finished());
    drop(leave);
    assert!(futures_lite::future::block_on(question).expect("it is answered"));
}
