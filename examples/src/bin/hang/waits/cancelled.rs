//! A task that awaits one which was cancelled, but is shielded and waits itself.

use std::future::{Pending, pending};

use volt::task::{shielded, yield_now};
use volt::{JoinHandle, Runtime};

/// Must not be cut off, and so is waited for.
#[volt::state_machine]
async fn save(disk: Pending<()>) {
    yield_now().await;
    disk.await; // It hangs here.
}

#[volt::state_machine]
async fn leave(saver: JoinHandle<()>) {
    saver.cancel();
    let result = saver.await; // The visitor hangs here.
    drop(result);
}

pub(crate) fn begin(runtime: &Runtime) {
    let handle = runtime.handle();
    let saver = handle.spawn_named("saver", shielded(save(pending())));
    handle.spawn_named("visitor", leave(saver)).detach();
}
