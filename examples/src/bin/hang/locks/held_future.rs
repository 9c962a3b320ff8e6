//! A request gives up waiting for a lock, keeps the future, and requests the lock again.
//!
//! The future that is held is the next in the queue of the lock. Nothing polls it, so the lock
//! passes to it and no further. The name of this fault is *futurelock*.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use volt::Runtime;
use volt::future::race;
use volt::time::sleep;

type Log = Arc<Mutex<Vec<String>>>;

#[volt::state_machine]
async fn write(log: Log, line: String) -> bool {
    let mut lines = log.lock().await; // It hangs here.
    sleep(Duration::from_millis(5)).await;
    lines.push(line);
    true
}

#[volt::state_machine]
async fn give_up(limit: Duration) -> bool {
    sleep(limit).await;
    false
}

#[volt::state_machine]
async fn request(log: Log) {
    let mut written = pin!(write(Arc::clone(&log), "payload".to_owned()));
    if race(written.as_mut(), give_up(Duration::from_millis(100))).await {
        return;
    }
    let _noted = write(log, "too slow".to_owned()).await;
    let _written = written.await;
}

#[volt::state_machine]
async fn compact(log: Log) {
    loop {
        let mut lines = log.lock().await;
        sleep(Duration::from_millis(400)).await;
        lines.clear();
        drop(lines);
        sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let log = Log::default();
    let handle = runtime.handle();
    handle
        .spawn_named("compact", compact(Arc::clone(&log)))
        .detach();
    std::thread::sleep(Duration::from_millis(100));
    for number in 0..3 {
        let name = format!("request {number}");
        handle
            .spawn_named(&name, request(Arc::clone(&log)))
            .detach();
    }
}
