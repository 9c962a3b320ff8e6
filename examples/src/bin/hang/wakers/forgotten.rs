//! A future that waits, and keeps nobody's waker.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use volt::Runtime;

/// A bell that was never connected.
struct Bell;

impl Future for Bell {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

#[volt::state_machine]
async fn open_door(bell: Bell) {
    bell.await; // It hangs here.
}

pub(crate) fn begin(runtime: &Runtime) {
    runtime
        .handle()
        .spawn_named("doorman", open_door(Bell))
        .detach();
}
