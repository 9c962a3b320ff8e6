//! Timeouts of futures that no task of the runtime polls. The inner future never waits, so the
//! timeout must begin a budget itself.
#![cfg(not(miri))]

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use futures::executor::{self, LocalPool};
use volt::io::{AsyncReadExt, empty};
use volt::time::timeout;
use volt::{Handle, Runtime, block_in_place, spawn, spawn_blocking};

const LIMIT: Duration = Duration::from_millis(10);

async fn read_forever() {
    loop {
        let _ = empty().read(&mut [0; 4]).await;
    }
}

#[volt::state_machine]
async fn pass_forever() {
    loop {
        std::future::ready(()).await;
    }
}

/// Fails if `poll` does not return a `true` within 10 seconds.
#[track_caller]
fn assert_elapses(poll: impl FnOnce(Handle) -> bool + Send + 'static) {
    let runtime = Runtime::builder().worker_threads(2).build().unwrap();
    let (send, elapsed) = mpsc::channel();
    thread::spawn(move || {
        let elapsed = poll(runtime.handle().clone());
        send.send(elapsed)
    });
    assert_eq!(elapsed.recv_timeout(Duration::from_secs(10)), Ok(true));
}

async fn both_elapse() -> bool {
    let reads = timeout(LIMIT, read_forever()).await;
    reads.is_err() && timeout(LIMIT, pass_forever()).await.is_err()
}

#[test]
fn timeout_elapses_in_another_executor() {
    assert_elapses(|handle| {
        let _entered = handle.enter();
        executor::block_on(both_elapse()) && LocalPool::new().run_until(both_elapse())
    });
}

#[test]
fn timeout_elapses_in_blocking_jobs() {
    assert_elapses(|handle| {
        let job = async { spawn_blocking(|| executor::block_on(both_elapse())).await };
        handle.block_on(job).unwrap()
    });
    assert_elapses(|handle| {
        let task = async { block_in_place(|| executor::block_on(both_elapse())) };
        handle.block_on(async { spawn(task).await.unwrap() })
    });
}

#[test]
fn timeout_of_tokio_elapses_around_attached_futures() {
    assert_elapses(|handle| {
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        tokio.block_on(async {
            let reads = tokio::time::timeout(LIMIT, handle.attach(read_forever())).await;
            let passes = tokio::time::timeout(LIMIT, handle.attach(pass_forever())).await;
            reads.is_err() && passes.is_err()
        })
    });
}
