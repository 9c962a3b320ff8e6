//! Inspection polls beside wakes, cancels and a shutdown.
#![cfg(feature = "inspect")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use volt::runtime::{PollLimits, Runtime};
use volt::task::yield_now;
use volt::time::sleep;

/// Polls for inspection beside wakes, cancels and a shutdown. No task may stay, and none may be
/// polled by two threads.
#[test]
fn inspection_races_with_wakes_cancels_and_shutdown() {
    const ROUNDS: usize = if cfg!(miri) { 1 } else { 20 };
    for round in 0..ROUNDS {
        let runtime = Runtime::builder().worker_threads(2).build().unwrap();
        let handle = runtime.handle().clone();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let mut limits = PollLimits::default();
        limits.within = Duration::from_millis(50);
        let inspector = thread::spawn(move || {
            let mut polled = 0;
            while !over.load(SeqCst) {
                let dump = handle.dump_by_poll(&limits);
                polled += dump.poll_report().unwrap().polled;
            }
            polled
        });
        let ended = Arc::new(AtomicUsize::new(0));
        let mut tasks = Vec::new();
        for nth in 0..200_u64 {
            let (send, received) = oneshot::channel();
            let ended = ended.clone();
            let task = runtime.spawn(async move {
                if nth % 3 == 0 {
                    yield_now().await;
                }
                let value = received.await;
                sleep(Duration::from_micros(nth)).await;
                ended.fetch_add(1, SeqCst);
                value.unwrap_or(nth)
            });
            tasks.push((nth, send, task));
        }
        let mut expected = 0;
        // A poll that already runs would see its closed channel, and complete the cancelled task.
        let mut senders_of_cancelled = Vec::new();
        for (nth, send, task) in tasks {
            match nth % 5 {
                0 => {
                    task.cancel();
                    senders_of_cancelled.push(send);
                }
                _ => {
                    send.send(nth).unwrap();
                    if round % 2 == 0 {
                        assert_eq!(runtime.block_on(task).unwrap(), nth);
                        expected += 1;
                    }
                }
            }
        }
        if round % 2 == 1 {
            drop(runtime);
        } else {
            assert_eq!(ended.load(SeqCst), expected);
        }
        is_over.store(true, SeqCst);
        inspector.join().unwrap();
    }
}
