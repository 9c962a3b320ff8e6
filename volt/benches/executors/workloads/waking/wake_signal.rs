//! A signal that records the time of a wake.

use std::future::poll_fn;
use std::sync::Mutex;
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// The state that a waking thread and the woken task share.
#[derive(Default)]
pub(crate) struct WakeSignal {
    state: Mutex<(Option<Instant>, Option<Waker>)>,
}

impl WakeSignal {
    pub(crate) fn send(&self) {
        let waker = {
            let mut state = self.state.lock().expect("no panic");
            state.0 = Some(Instant::now());
            state.1.take()
        };
        waker.expect("the task waits").wake();
    }

    /// Waits until the task has stored its waker.
    pub(crate) fn wait_for_listener(&self) {
        while self.state.lock().expect("no panic").1.is_none() {
            thread::yield_now();
        }
    }

    /// Waits for the signal, and returns the time since it was sent.
    pub(crate) async fn received(&self) -> Duration {
        poll_fn(|cx| {
            let mut state = self.state.lock().expect("no panic");
            match state.0.take() {
                Some(at) => Poll::Ready(at.elapsed()),
                None => {
                    state.1 = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}
