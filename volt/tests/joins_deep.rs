//! Nested joins: their stack depth and their threads.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use volt::{Builder, Runtime};

/// The number of worker threads of a runtime, now and at most.
#[derive(Clone, Default)]
struct Threads(Arc<[AtomicUsize; 2]>);

impl Threads {
    fn count(&self, builder: Builder) -> Builder {
        let (more, less) = (self.clone(), self.clone());
        let builder = builder.on_thread_start(move || {
            let now = more.0[0].fetch_add(1, SeqCst) + 1;
            more.0[1].fetch_max(now, SeqCst);
        });
        builder.on_thread_stop(move || _ = less.0[0].fetch_sub(1, SeqCst))
    }

    fn most(&self) -> usize {
        self.0[1].load(SeqCst)
    }
}

/// Returns a runtime with two workers, and stacks of `kib` KiB.
fn runtime(kib: usize) -> Runtime {
    let builder = Builder::new().worker_threads(2);
    builder.thread_stack_size(kib << 10).build().unwrap()
}

/// Runs `rest` nested joins.
fn chain(rest: usize) -> usize {
    if rest == 0 {
        return 0;
    }
    let next = volt::spawn(async move { chain(rest - 1) });
    1 + next.join().unwrap()
}

/// Calls `call` after `kib` KiB of the stack are used.
fn below(kib: usize, call: fn() -> usize) -> usize {
    fn descend(top: usize, bytes: usize, call: fn() -> usize) -> usize {
        let used = black_box([0_u8; 256]);
        let answer = if top - used.as_ptr().addr() < bytes {
            descend(top, bytes, call)
        } else {
            call()
        };
        black_box(&used);
        answer
    }
    let top = black_box(0_u8);
    descend((&raw const top).addr(), kib << 10, call)
}

#[test]
fn chain_of_joins_is_limited_by_memory_only() {
    let depth = if cfg!(debug_assertions) {
        20_000
    } else {
        200_000
    };
    let threads = Threads::default();
    let builder = threads.count(Builder::new().worker_threads(2));
    let runtime = builder.build().unwrap();
    let joined = runtime.spawn(async move { chain(depth) }).join();
    assert_eq!(joined.unwrap(), depth);
    let most = threads.most();
    assert!((3..400).contains(&most), "{most} threads");
}

#[test]
fn chain_of_joins_on_small_stacks_changes_threads() {
    for (kib, depth) in [(512, 3_000), (256, 1_000), (64, 100)] {
        let runtime = runtime(kib);
        let joined = runtime.block_on(runtime.spawn(async move { chain(depth) }));
        assert_eq!(joined.unwrap(), depth);
    }
}

#[test]
fn chain_of_joins_begun_deep_changes_threads() {
    let runtime = runtime(2048);
    let joined = runtime.block_on(runtime.spawn(async { below(1200, || chain(1_000)) }));
    assert_eq!(joined.unwrap(), 1_000);
}

#[test]
fn chain_of_joins_on_a_small_stack_outside_ends() {
    let runtime = runtime(2048);
    let handle = runtime.handle().clone();
    let outside = thread::Builder::new().stack_size(256 << 10);
    let joiner = outside.spawn(move || {
        let _entered = handle.enter();
        below(100, || chain(1_000))
    });
    assert_eq!(joiner.unwrap().join().unwrap(), 1_000);
}

/// Spawns `count` tasks. Each of them joins a task that waits for the flag.
fn storm(runtime: &Runtime, count: usize, flag: &Arc<AtomicBool>) -> Vec<volt::JoinHandle<bool>> {
    let joiner = |_| {
        let flag = Arc::clone(flag);
        runtime.spawn(async {
            let target = volt::spawn(async move {
                while !flag.load(SeqCst) {
                    volt::time::sleep(Duration::from_millis(1)).await;
                }
            });
            target.join().is_err_and(|error| {
                let text = error.to_string();
                assert!(
                    error.is_out_of_threads() && text.contains("max_spare_threads"),
                    "{text}"
                );
                true
            })
        })
    };
    (0..count).map(joiner).collect()
}

#[test]
fn joins_take_no_more_threads_than_are_spare() {
    let (flag, threads) = (Arc::default(), Threads::default());
    let builder = Builder::new().worker_threads(2).max_spare_threads(4);
    let runtime = threads.count(builder).build().unwrap();
    let joiners = storm(&runtime, 20, &flag);
    // At most one worker sleeps with its core, and four threads without a core.
    let is_refused = || joiners.iter().filter(|task| task.is_finished()).count() == 15;
    let begun = Instant::now();
    while !is_refused() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{} threads",
            threads.most()
        );
        thread::yield_now();
    }
    assert_eq!(threads.most(), 6);
    flag.store(true, SeqCst);
    let refused = joiners
        .into_iter()
        .filter_map(|task| task.join().unwrap().then_some(()));
    assert_eq!(refused.count(), 15);
    assert!(
        !storm(&runtime, 1, &flag).remove(0).join().unwrap(),
        "the threads are free again"
    );
}

#[test]
fn join_without_spare_threads_polls_or_fails() {
    let flag = Arc::default();
    let builder = Builder::new().worker_threads(1).max_spare_threads(0);
    let runtime = builder.build().unwrap();
    let here = runtime.spawn(async { volt::spawn(async { 7 }).join().unwrap() });
    assert_eq!(runtime.block_on(here).unwrap(), 7);
    let refused = storm(&runtime, 1, &flag).remove(0);
    assert!(runtime.block_on(refused).unwrap());
}
