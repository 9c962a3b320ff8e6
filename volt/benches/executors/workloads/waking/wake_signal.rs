//! A bell that one rings and a task hears.

use std::future::poll_fn;
use std::sync::Mutex;
use std::task::{Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// What a waker and the task that it wakes share.
#[derive(Default)]
pub(crate) struct WakeSignal {
    rung: Mutex<(Option<Instant>, Option<Waker>)>,
}

impl WakeSignal {
    pub(crate) fn ring(&self) {
        let waker = {
            let mut rung = self.rung.lock().expect("nobody panics");
            rung.0 = Some(Instant::now());
            rung.1.take()
        };
        waker.expect("the task waits").wake();
    }

    /// Until the task sleeps.
    pub(crate) fn wait_for_listener(&self) {
        while self.rung.lock().expect("nobody panics").1.is_none() {
            thread::yield_now();
        }
    }

    /// How long ago it was rung.
    pub(crate) async fn heard(&self) -> Duration {
        poll_fn(|cx| {
            let mut rung = self.rung.lock().expect("nobody panics");
            match rung.0.take() {
                Some(at) => Poll::Ready(at.elapsed()),
                None => {
                    rung.1 = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}
