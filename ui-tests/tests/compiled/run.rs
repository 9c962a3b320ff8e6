//! Running a machine beside the compiler's own future.

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Waits for one turn.
pub(crate) async fn turn() {
    let mut polled = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// The output, and after how many polls.
pub(crate) fn run<F: Future>(future: F) -> (F::Output, usize) {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    for polls in 1..1000 {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return (output, polls);
        }
    }
    panic!("it never ends")
}

/// Polls a future as often as that, and drops it.
pub(crate) fn cancel_after<F: Future>(polls: usize, future: F) {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        assert!(future.as_mut().poll(&mut cx).is_pending());
    }
}
