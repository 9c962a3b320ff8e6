//! Awaits in macros that the attribute does not see. While a machine waits in one, a trace must not
//! read the future that was awaited before.

use std::fmt::Debug;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

macro_rules! wait {
    ($future:expr) => {
        $future.await
    };
}

macro_rules! verbatim {
    ($($code:tt)*) => { $($code)* };
}

/// Is pending once. Its fields may take the place of an ended future.
async fn turn() -> u32 {
    let filled = [0xAA_u8; 64];
    let mut polled = false;
    poll_fn(|_| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        Poll::Pending
    })
    .await;
    u32::from(filled[0])
}

#[volt::state_machine(native)]
async fn inner(text: String) -> u32 {
    turn().await + text.len() as u32
}

#[volt::state_machine(native)]
async fn generic<T: Debug>(value: T) -> u32 {
    turn().await + format!("{value:?}").len() as u32
}

#[volt::state_machine(native)]
async fn in_a_tuple(text: String) -> (u32, u32, u32) {
    (inner(text.clone()).await, wait!(turn()), inner(text).await)
}

#[volt::state_machine(native)]
async fn in_statements(text: String) -> (u32, u32, u32) {
    let first = inner(text.clone()).await;
    let second = wait!(turn());
    (first, second, inner(text).await)
}

#[volt::state_machine(native)]
async fn in_verbatim_code(text: String) -> (u32, u32, u32) {
    (
        inner(text.clone()).await,
        verbatim!(turn().await),
        inner(text).await,
    )
}

#[volt::state_machine(native)]
async fn after_a_generic_machine(text: String) -> (u32, u32, u32) {
    (
        generic(text.clone()).await,
        wait!(turn()),
        generic(text).await,
    )
}

#[volt::state_machine(native)]
async fn of_type<T: Clone + Debug>(value: T) -> (u32, u32, u32) {
    (
        generic(value.clone()).await,
        wait!(turn()),
        generic(value).await,
    )
}

#[volt::state_machine(native)]
async fn in_a_machine_of_a_macro(text: String) -> (u32, u32, u32) {
    (
        inner(text.clone()).await,
        wait!(inner(text.clone())),
        inner(text).await,
    )
}

#[volt::state_machine(native)]
async fn in_a_condition(text: String) -> (u32, u32, u32) {
    let mut sums = Vec::new();
    while sums.len() < 2 && wait!(turn()) > 0 {
        sums.push(inner(text.clone()).await);
    }
    (sums[0], 0, sums[1])
}

/// The number of machines in the trace at each suspension.
fn depths<M: StateMachine + Future>(machine: M) -> Vec<usize> {
    let mut machine = Box::pin(machine);
    let mut cx = Context::from_waker(Waker::noop());
    let mut depths = Vec::new();
    while Pin::as_mut(&mut machine).poll(&mut cx).is_pending() {
        let mut depth = 0;
        machine.trace(&mut |state| {
            assert!(!state.machine.is_empty());
            depth += 1;
        });
        depths.push(depth);
    }
    depths
}

fn text() -> String {
    "a text on the heap".to_owned()
}

#[test]
fn trace_ends_at_an_unknown_await() {
    assert_eq!(depths(in_a_tuple(text())), [2, 1, 2]);
    assert_eq!(depths(in_statements(text())), [2, 1, 2]);
    assert_eq!(depths(in_verbatim_code(text())), [2, 1, 2]);
    assert_eq!(depths(in_a_machine_of_a_macro(text())), [2, 1, 2]);
    assert_eq!(depths(in_a_condition(text())), [1, 2, 1, 2]);
}

#[test]
fn trace_ends_after_a_generic_machine() {
    assert_eq!(depths(after_a_generic_machine(text())), [2, 1, 2]);
    assert_eq!(depths(of_type(text())), [2, 1, 2]);
}
