//! A fork of a process while its first runtime starts. The child can start another runtime.
//!
//! Each allocation of a worker waits until the process was forked at that point, so the fork
//! inherits each intermediate state of the worker. The program has one test, because it covers
//! state that a process creates once.

#![cfg(all(unix, not(miri)))]

mod forking;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

use forking::holds_in_a_fork;
use volt::Builder;

const WORKERS: usize = 2;

/// The number of workers that have started.
static STARTED: AtomicUsize = AtomicUsize::new(0);
/// The number of workers that have parked.
static SETTLED: AtomicUsize = AtomicUsize::new(0);
/// The number of allocations that have waited or wait.
static WAITED: AtomicUsize = AtomicUsize::new(0);
/// The number of allocations that may continue.
static RELEASED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// An allocator that makes the allocations of some threads wait.
struct Waiting;

// SAFETY: All methods forward to the system allocator.
unsafe impl GlobalAlloc for Waiting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if WAITS.get() {
            let turn = WAITED.fetch_add(1, SeqCst);
            while RELEASED.load(SeqCst) <= turn {
                thread::yield_now();
            }
        }
        // SAFETY: The contract of the caller is forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: The contract of the caller is forwarded.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static GLOBAL: Waiting = Waiting;

/// Returns `true` if all workers of another runtime run in a fork of this process.
fn runtime_works_in_a_fork() -> bool {
    holds_in_a_fork(|| {
        let own = Builder::new().worker_threads(WORKERS).build().unwrap();
        let output = own.block_on(own.spawn(async { 7 })).unwrap();
        // A worker that hangs never sleeps, although another worker may have run the task.
        while own.stats().sleeping < WORKERS {
            thread::yield_now();
        }
        output == 7
    })
}

#[test]
fn runtime_starts_in_a_fork_during_the_first_start() {
    let runtime = Builder::new()
        .worker_threads(WORKERS)
        .on_thread_start(|| {
            STARTED.fetch_add(1, SeqCst);
            WAITS.set(true);
        })
        .on_thread_park(|| {
            let was_waiting = WAITS.replace(false);
            SETTLED.fetch_add(usize::from(was_waiting), SeqCst);
        })
        .build()
        .unwrap();
    // A thread that is still starting would hold a lock of the standard library.
    while STARTED.load(SeqCst) < WORKERS {
        thread::yield_now();
    }
    let (mut forks, mut works) = (0, true);
    while SETTLED.load(SeqCst) < WORKERS {
        let waited = WAITED.load(SeqCst);
        if waited > RELEASED.load(SeqCst) {
            works = works && runtime_works_in_a_fork();
            forks += 1;
            // The workers continue also after a failure, because the drop waits for them.
            RELEASED.store(waited, SeqCst);
        }
        thread::yield_now();
    }
    drop(runtime);
    assert!(works, "a fork up to number {forks} fails or hangs");
    assert!(forks > 0);
}
