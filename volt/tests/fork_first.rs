//! A process that is forked while its first runtime begins: in the child another one can be started.
//!
//! Each allocation of a worker waits until the process was forked there, and the fork inherits what the worker is about
//! as it is at that moment. This is a program of one test: what is made once in a process is made here.

#![cfg(all(unix, not(miri)))]

mod forking;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

use forking::holds_in_a_fork;
use volt::Builder;

const WORKERS: usize = 2;

/// Workers that have begun.
static BEGUN: AtomicUsize = AtomicUsize::new(0);
/// Those that have found nothing to do.
static SETTLED: AtomicUsize = AtomicUsize::new(0);
/// Allocations that waited or wait.
static CAME: AtomicUsize = AtomicUsize::new(0);
/// Those that need not wait any more.
static WENT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// Lets the allocations of some threads wait.
struct Waiting;

// SAFETY: forwards to the system's allocator.
unsafe impl GlobalAlloc for Waiting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if WAITS.get() {
            let turn = CAME.fetch_add(1, SeqCst);
            while WENT.load(SeqCst) <= turn {
                thread::yield_now();
            }
        }
        // SAFETY: forwarded contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: forwarded contract.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static GLOBAL: Waiting = Waiting;

/// Whether all workers of another runtime work in a fork of this process.
fn runtime_works_in_a_fork() -> bool {
    holds_in_a_fork(|| {
        let own = Builder::new().worker_threads(WORKERS).build().unwrap();
        let answer = own.block_on(own.spawn(async { 7 })).unwrap();
        // One that hangs never sleeps, while another one may have answered.
        while own.stats().sleeping < WORKERS {
            thread::yield_now();
        }
        answer == 7
    })
}

#[test]
fn runtime_starts_in_a_fork_during_the_first_start() {
    let runtime = Builder::new()
        .worker_threads(WORKERS)
        .on_thread_start(|| {
            BEGUN.fetch_add(1, SeqCst);
            WAITS.set(true);
        })
        .on_thread_park(|| {
            let waited = WAITS.replace(false);
            SETTLED.fetch_add(usize::from(waited), SeqCst);
        })
        .build()
        .unwrap();
    // A thread that has not would keep the lock that the standard library takes there.
    while BEGUN.load(SeqCst) < WORKERS {
        thread::yield_now();
    }
    let (mut forks, mut works) = (0, true);
    while SETTLED.load(SeqCst) < WORKERS {
        let came = CAME.load(SeqCst);
        if came > WENT.load(SeqCst) {
            works = works && runtime_works_in_a_fork();
            forks += 1;
            // Also if it does not: the workers are waited for in the end.
            WENT.store(came, SeqCst);
        }
        thread::yield_now();
    }
    drop(runtime);
    assert!(works, "fork {forks} at the latest fails, or hangs");
    assert!(forks > 0);
}
