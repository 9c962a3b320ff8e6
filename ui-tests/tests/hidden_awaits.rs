//! Awaits in macros that the attribute does not see. While a machine waits in one, a trace must not
//! read the future that was awaited before. If the tokens of the macro have an `await`, the trace
//! has the name of the macro.

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

async fn plain_macros(text: String) -> u32 {
    let both = verbatim!(turn().await + turn().await);
    let visible = inner(text).await;
    let unknown = wait!(turn());
    assert!(turn().await > 0, "a turn returns {both}");
    both + visible + unknown
}

#[volt::state_machine(native)]
async fn in_macros(text: String) -> u32 {
    let both = verbatim!(turn().await + turn().await);
    let visible = inner(text).await;
    let unknown = wait!(turn());
    assert!(turn().await > 0, "a turn returns {both}");
    both + visible + unknown
}

#[volt::state_machine(native)]
async fn after_a_ready_await() -> u32 {
    verbatim!(std::future::ready(()).await);
    std::future::ready(()).await;
    wait!(turn())
}

#[volt::state_machine(native)]
async fn around_macros(text: String) -> u32 {
    verbatim!(in_macros(text).await + turn().await)
}

#[volt::state_machine(native)]
async fn in_repeated_macros(text: String) -> u32 {
    let mut sum = 0;
    for _ in 0..2 {
        sum += verbatim!(turn().await);
        if verbatim!(turn().await > 0) {
            sum += inner(text.clone()).await;
        }
    }
    sum
}

/// The states in the trace at each suspension.
fn states<M: StateMachine + Future>(machine: M) -> Vec<String> {
    let mut machine = Box::pin(machine);
    let mut cx = Context::from_waker(Waker::noop());
    let mut states = Vec::new();
    while Pin::as_mut(&mut machine).poll(&mut cx).is_pending() {
        let mut names = Vec::new();
        machine.trace(&mut |state| names.push(state.name.trim_start_matches("await ")));
        states.push(names.join(" "));
    }
    states
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

/// The first run of each fills the table, and the second reads it.
#[test]
fn trace_has_names_of_macros() {
    for _ in 0..2 {
        let expected = ["verbatim!", "verbatim!", "inner turn", "running", "assert!"];
        assert_eq!(states(in_macros(text())), expected);
        assert_eq!(states(around_macros(text())), ["verbatim!"; 6]);
        assert_eq!(states(after_a_ready_await()), ["running"]);
        let expected = ["verbatim!", "verbatim!", "inner turn"];
        assert_eq!(states(in_repeated_macros(text())), expected.repeat(2));
    }
}

#[test]
fn awaits_in_macros_take_no_bytes() {
    let (plain, machine) = (plain_macros(text()), in_macros(text()));
    assert!(size_of_val(&machine) <= size_of_val(&plain));
}
