//! Two transfers take the locks of two accounts in opposite order.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use volt::Runtime;
use volt::time::sleep;

type Accounts = Arc<[Mutex<i64>; 2]>;

#[volt::state_machine]
async fn transfer(accounts: Accounts, from: usize, to: usize, amount: i64) {
    let mut source: MutexGuard<'_, i64> = accounts[from].lock().await;
    *source -= amount;
    // Meanwhile the journal is written.
    sleep(Duration::from_millis(10)).await;
    let mut target: MutexGuard<'_, i64> = accounts[to].lock().await; // It hangs here.
    *target += amount;
}

pub(crate) fn begin(runtime: &Runtime) {
    let accounts: Accounts = Arc::new([Mutex::new(1000), Mutex::new(1000)]);
    for (from, to) in [(0, 1), (1, 0)] {
        let transfer = transfer(Arc::clone(&accounts), from, to, 5);
        let name = format!("transfer from {from} to {to}");
        runtime.handle().spawn_named(&name, transfer).detach();
    }
}
