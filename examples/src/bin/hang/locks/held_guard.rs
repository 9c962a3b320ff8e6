//! A report is sent under the lock that all requests need, and the other program is slow.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use volt::Runtime;
use volt::time::sleep;

type Counts = Arc<Mutex<HashMap<u32, u64>>>;

#[volt::state_machine]
async fn deliver(numbers: usize) -> usize {
    // The other program takes an hour.
    sleep(Duration::from_secs(3_600)).await;
    numbers
}

#[volt::state_machine]
async fn report(counts: Counts) -> usize {
    sleep(Duration::from_millis(200)).await;
    let guard: MutexGuard<'_, HashMap<u32, u64>> = counts.lock().await;
    let sent: usize = deliver(guard.len()).await; // The guard is alive here.
    drop(guard);
    sent
}

#[volt::state_machine]
async fn count(counts: Counts, key: u32) {
    loop {
        *counts.lock().await.entry(key).or_default() += 1;
        sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let counts = Counts::default();
    let handle = runtime.handle();
    handle
        .spawn_named("report", report(Arc::clone(&counts)))
        .detach();
    for key in 0..5 {
        let name = format!("count {key}");
        handle
            .spawn_named(&name, count(Arc::clone(&counts), key))
            .detach();
    }
}
