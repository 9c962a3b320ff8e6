//! Rows with known counts, for the test of the counter.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::marks::{await_sleep, operation, region};

/// Executes one atomic instruction for each operation, on a line of this thread.
pub(super) fn add_alone(operations: usize) {
    let sum = AtomicUsize::new(0);
    await_sleep();
    await_sleep();
    region();
    for _ in 0..operations {
        sum.fetch_add(1, Ordering::Relaxed);
        operation();
    }
    region();
}

/// Two threads add to one number by turns, so that its line moves for each operation.
pub(super) fn add_by_turns(operations: usize) {
    let sum = Arc::new(AtomicUsize::new(0));
    let other = sum.clone();
    let is_running = Arc::new(AtomicBool::new(false));
    let begin = is_running.clone();
    std::thread::spawn(move || {
        begin.store(true, Ordering::Release);
        add_at(&other, 1)
    });
    // The start of a thread has atomic operations of its own.
    while !is_running.load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    await_sleep();
    region();
    while sum.load(Ordering::Acquire) < operations {
        add_if(&sum, 0);
    }
    region();
}

/// Adds when the remainder of the number by two is as given.
fn add_if(sum: &AtomicUsize, remainder: usize) {
    if sum.load(Ordering::Acquire) % 2 == remainder {
        sum.fetch_add(1, Ordering::AcqRel);
        operation();
    }
}

fn add_at(sum: &AtomicUsize, remainder: usize) -> ! {
    loop {
        add_if(sum, remainder);
        std::hint::spin_loop();
    }
}
