//! Three tasks of a shutdown, of which each awaits the next.

use std::sync::mpsc::{Receiver, channel};

use volt::{JoinHandle, Runtime};

#[volt::state_machine]
async fn stop_after(other: JoinHandle<()>) {
    let _ended = other.await; // It hangs here.
}

/// The handle of the last task exists only after the first one has been spawned.
async fn stop_after_last(last: Receiver<JoinHandle<()>>) {
    let last = last.recv().expect("the last task is spawned");
    stop_after(last).await;
}

pub(crate) fn begin(runtime: &Runtime) {
    let handle = runtime.handle();
    let (send, last) = channel();
    let cache = handle.spawn_named("cache", stop_after_last(last));
    let store = handle.spawn_named("store", stop_after(cache));
    let server = handle.spawn_named("server", stop_after(store));
    send.send(server).expect("the first task waits");
}
