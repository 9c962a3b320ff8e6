//! What a task takes where nobody listens to its span, with the feature `tracing` and without it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::future::poll_fn;
use std::task::Poll;

use volt::Runtime;

/// What a task of an 8-byte future takes: its header, its scheduler, where it was spawned, and the future.
const TASK: usize = 48 + 8 + 8 + 8;

/// Counts what a thread allocates that has this size.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: forwards to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + usize::from(layout.size() == TASK));
        // SAFETY: forwarded contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: forwarded contract.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static GLOBAL: Counting = Counting;

#[test]
#[cfg(target_pointer_width = "64")]
fn task_without_a_subscriber_allocates_no_span() {
    const TASKS: usize = 100;
    let runtime = Runtime::new().unwrap();
    let before = COUNT.get();
    for n in 0..TASKS {
        let waits = poll_fn(move |_| {
            std::hint::black_box(n);
            Poll::<()>::Pending
        });
        assert_eq!(size_of_val(&waits), size_of::<usize>());
        runtime.spawn(waits).detach();
    }
    let tasks = COUNT.get() - before;
    assert!(tasks >= TASKS, "{tasks} of {TASKS} have {TASK} bytes");
}
