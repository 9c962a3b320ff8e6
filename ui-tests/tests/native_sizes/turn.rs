//! A future that is pending once.

use std::future::poll_fn;
use std::task::Poll;

pub(crate) async fn turn() {
    let mut polled = false;
    poll_fn(|_| {
        if std::mem::replace(&mut polled, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}
