//! Blocking the calling thread on a future.

use std::pin::pin;
use std::task::{Context, Poll};

use super::thread_parker::ThreadParker;
use crate::task;

/// Polls `future` on this thread, asleep between its wake-ups, until it is ready.
pub(super) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let thread = ThreadParker::of_this_thread();
    let mut context = Context::from_waker(thread.waker());
    loop {
        if let Poll::Ready(output) = task::limited(|| future.as_mut().poll(&mut context)) {
            return output;
        }
        thread.park();
    }
}
