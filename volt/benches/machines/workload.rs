//! The workload: futures are created, polled to completion and dropped.

use std::fmt::Debug;
use std::hint::black_box;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// One function, in one of its two versions.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// Runs a number of futures.
    pub(crate) run: Box<dyn Fn(u32)>,
    /// The output of a future, and the number of polls until it is ready.
    pub(crate) outcome: (String, u32),
}

pub(crate) fn subject_of<F, T>(name: &'static str, make: impl Fn() -> F + 'static) -> Subject
where
    F: Future<Output = T>,
    T: Debug,
{
    let (output, polls) = finish(pin!(make()));
    let run = move |futures| {
        for _ in 0..futures {
            black_box(finish(pin!(make())));
        }
    };
    Subject {
        name,
        run: Box::new(run),
        outcome: (format!("{output:?}"), polls),
    }
}

/// Polls a future to completion without knowing its type, as an executor does.
fn finish<T>(future: Pin<&mut dyn Future<Output = T>>) -> (T, u32) {
    let mut future = black_box(future);
    let mut cx = Context::from_waker(Waker::noop());
    let mut polls = 1;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return (output, polls);
        }
        polls += 1;
    }
}
