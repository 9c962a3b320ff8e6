//! Native machines with `trace = false`: what they take, and what is seen of those that await them.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;

async fn turn() {
    let mut polled = false;
    poll_fn(|_| match std::mem::replace(&mut polled, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

async fn plain<A: Into<u64>>(number: A, _: [u32; 2]) -> u64 {
    let number = number.into() as u8;
    turn().await;
    u64::from(number)
}

#[volt::state_machine(native, trace = false)]
async fn quiet<A: Into<u64>>(number: A, _: [u32; 2]) -> u64 {
    let number = number.into() as u8;
    turn().await;
    u64::from(number)
}

async fn plain_short<A: Into<u64>>(number: A) -> u64 {
    number.into()
}

#[volt::state_machine(native, trace = false)]
async fn quiet_short<A: Into<u64>>(number: A) -> u64 {
    number.into()
}

type Padded = (u64, u8);

async fn plain_padded<A: Copy>(_: Padded, _: Option<u64>, number: A) -> A {
    number
}

#[volt::state_machine(native, trace = false)]
async fn quiet_padded<A: Copy>(_: Padded, _: Option<u64>, number: A) -> A {
    number
}

#[track_caller]
fn is_close<P, M>(plain: &P, machine: &M) {
    let (plain, machine) = (size_of_val(plain), size_of_val(machine));
    assert!(
        machine <= plain + 8,
        "{machine} bytes where plain is {plain}"
    );
}

#[test]
fn generic_machine_without_a_trace_has_eight_bytes_more_at_most() {
    is_close(&plain(1_u8, [0; 2]), &quiet(1_u8, [0; 2]));
    is_close(&plain(1_u64, [0; 2]), &quiet(1_u64, [0; 2]));
    let (plain, quiet) = (plain_padded::<u8>, quiet_padded::<u8>);
    is_close(&plain((1, 1), None, 1), &quiet((1, 1), None, 1));
    is_close(&plain_short(1_u16), &quiet_short(1_u16));
    is_close(&plain_short(1_u32), &quiet_short(1_u32));
    is_close(&plain_short(1_u64), &quiet_short(1_u64));
}

#[volt::state_machine(native)]
async fn inner<A: Into<u64>>(number: A) -> u64 {
    turn().await;
    number.into()
}

#[volt::state_machine(native, trace = false)]
async fn middle<A: Into<u64>>(number: A) -> u64 {
    let number = number.into();
    inner(number).await + 1
}

#[volt::state_machine(native)]
async fn outer<A: Into<u64>>(number: A) -> u64 {
    let number = number.into();
    let first = inner(number).await;
    first + middle(number).await
}

fn trace(machine: &impl StateMachine) -> Vec<String> {
    let mut found = Vec::new();
    machine.trace(&mut |state| found.push(format!("{} {}", state.machine, state.name)));
    found
}

fn is_pending(machine: Pin<&mut impl Future>) -> bool {
    machine
        .poll(&mut Context::from_waker(Waker::noop()))
        .is_pending()
}

#[test]
fn trace_ends_in_a_machine_that_says_nothing() {
    let mut machine = pin!(outer(3_u32));
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Outer await inner", "Inner await turn"]);
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Outer await middle", "Middle running"]);
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(7));
}

#[test]
fn machine_that_says_nothing_awaits_one_that_does() {
    let mut machine = pin!(middle(3_u32));
    assert!(is_pending(machine.as_mut()));
    assert_eq!(trace(&*machine), ["Middle running"]);
    let done = machine.poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(done, Poll::Ready(4));
}
