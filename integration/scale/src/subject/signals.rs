//! How the tasks of the rows wait, with the same instructions on each runtime.

use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use atomic_waker::AtomicWaker;

/// A number of events, for which one task waits.
#[derive(Debug, Default)]
pub(super) struct Events {
    sent: AtomicUsize,
    waker: AtomicWaker,
}

impl Events {
    /// Adds an event and wakes the task.
    pub(super) fn send(&self) {
        self.sent.fetch_add(1, Ordering::Release);
        self.waker.wake();
    }

    /// Blocks the thread until so many events were sent.
    pub(super) fn spin(&self, count: usize) {
        while self.sent.load(Ordering::Acquire) < count {
            std::thread::yield_now();
        }
    }

    /// Waits until so many events were sent.
    pub(super) async fn reach(&self, count: usize) {
        poll_fn(|cx| {
            self.waker.register(cx.waker());
            if self.sent.load(Ordering::Acquire) >= count {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

/// Wakes its own task, and is ready at the next poll.
pub(super) async fn wake_self() {
    let mut woken = false;
    poll_fn(|cx| {
        if woken {
            return Poll::Ready(());
        }
        woken = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
