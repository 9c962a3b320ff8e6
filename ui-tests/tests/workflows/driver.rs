//! Runs machines with and without snapshots.

use std::future::Future;
use std::task::{Context, Poll, Waker};

use serde::Serialize;
use serde::de::DeserializeOwned;

fn run<F: Future>(machine: F, store: impl Fn(&F) -> F) -> F::Output {
    let mut cx = Context::from_waker(Waker::noop());
    let mut machine = Box::pin(machine);
    loop {
        machine = Box::pin(store(&machine));
        if let Poll::Ready(output) = machine.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

/// Returns the output of a machine that is stored as text and restored before each poll.
fn run_by_text<F: Future + Serialize + DeserializeOwned>(machine: F) -> F::Output {
    run(machine, |machine| {
        let text = serde_json::to_string(machine).unwrap();
        serde_json::from_str(&text).unwrap()
    })
}

fn run_by_bytes<F: Future + Serialize + DeserializeOwned>(machine: F) -> F::Output {
    run(machine, |machine| {
        let bytes = postcard::to_allocvec(machine).unwrap();
        postcard::from_bytes(&bytes).unwrap()
    })
}

/// Returns the output of a future that is never stored.
fn run_plain<F: Future>(future: F) -> F::Output {
    let mut cx = Context::from_waker(Waker::noop());
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

/// Asserts that a machine has an output, with snapshots and without.
pub(crate) fn assert_ends<F, T>(make: impl Fn() -> F, expected: T)
where
    F: Future<Output: std::fmt::Debug + PartialEq<T>> + Serialize + DeserializeOwned,
    T: std::fmt::Debug,
{
    assert_eq!(run_plain(make()), expected);
    assert_eq!(run_by_text(make()), expected);
    assert_eq!(run_by_bytes(make()), expected);
}
