//! The memory of a task without a tracing subscriber, with and without the feature `tracing`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::future::poll_fn;
use std::task::Poll;

use volt::Runtime;

/// The size of a task with a future of 8 bytes: header, scheduler, spawn location and future.
const TASK: usize = 48 + 8 + 8 + 8;

/// An allocator that counts the allocations of this size.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: All methods forward to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + usize::from(layout.size() == TASK));
        // SAFETY: The contract of the caller is forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: The contract of the caller is forwarded.
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
