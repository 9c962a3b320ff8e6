//! A future that is pending once, and a function that polls a future once.

use std::cell::Cell;
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Pending once, then ready. It is not `Unpin`.
#[derive(Default)]
pub(crate) struct Pause(Cell<bool>, PhantomPinned);

impl Future for Pause {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.0.replace(true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

/// Polls a future once, and is ready.
pub(crate) async fn poll_once<F: Future>(future: Pin<&mut F>) {
    let mut future = Some(future);
    std::future::poll_fn(|cx| {
        if let Some(future) = future.take() {
            assert!(future.poll(cx).is_pending());
        }
        Poll::Ready(())
    })
    .await;
}
