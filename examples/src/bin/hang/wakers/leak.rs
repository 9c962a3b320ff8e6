//! A task for each request waits for an event, and the event is never sent.

use std::sync::Arc;
use std::time::Duration;

use event_listener::Event;
use volt::time::sleep;
use volt::{Handle, Runtime};

#[volt::state_machine]
async fn audit(flushed: Arc<Event>) {
    flushed.listen().await; // It hangs here.
}

#[volt::state_machine]
async fn serve(flushed: Arc<Event>) {
    loop {
        for _ in 0..10 {
            let entry = audit(Arc::clone(&flushed));
            Handle::current().spawn_named("audit", entry).detach();
        }
        sleep(Duration::from_millis(2)).await;
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let handle = runtime.handle();
    handle
        .spawn_named("server", serve(Arc::new(Event::new())))
        .detach();
}
