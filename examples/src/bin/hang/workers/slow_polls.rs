//! One message in a hundred takes 200 ms to parse.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use volt::Runtime;
use volt::time::sleep;

fn parse(message: u64) {
    let limit = if message % 100 == 99 { 200 } else { 0 };
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(limit) {
        std::hint::spin_loop(); // It is slow here.
    }
}

#[volt::state_machine]
async fn handle(messages: Arc<AtomicU64>) {
    loop {
        sleep(Duration::from_millis(4)).await;
        parse(messages.fetch_add(1, Ordering::Relaxed));
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let messages = Arc::new(AtomicU64::new(0));
    for _ in 0..4 {
        let task = handle(Arc::clone(&messages));
        runtime.handle().spawn_named("handle", task).detach();
    }
}
