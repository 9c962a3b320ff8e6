//! Futures that `pin!` stores in a native machine, inspected between all polls.
//!
//! Miri runs these tests. Each form is polled to its end, or dropped, after an inspection.

#[path = "pinned/pause.rs"]
mod pause;

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;
use volt_inspect::{Inspector, TreeWriter};

use self::pause::{Pause, poll_once};

#[volt::state_machine(native)]
async fn page(number: u32) -> u32 {
    let text = number.to_string();
    let first: &str = &text;
    Pause::default().await;
    Pause::default().await;
    number + first.len() as u32
}

fn tree<M: StateMachine>(machine: Pin<&mut M>) -> String {
    let mut tree = TreeWriter::new(String::new());
    machine.inspect_machine(&mut Inspector::new(&mut tree));
    tree.into_inner()
}

/// Polls a machine a number of times, inspects it after each poll, and returns the last tree.
fn after<M: StateMachine + Future>(polls: usize, mut machine: Pin<&mut M>) -> String {
    let cx = &mut Context::from_waker(Waker::noop());
    let mut last = String::new();
    for _ in 0..polls {
        assert!(machine.as_mut().poll(cx).is_pending());
        last = tree(machine.as_mut());
        assert_eq!(last, tree(machine.as_mut()));
    }
    last
}

/// Polls a machine to its end with an inspection after each poll. Returns the output, and the
/// number of inspections with a dormant future.
fn run<M: StateMachine + Future>(machine: M) -> (M::Output, usize) {
    let mut machine = pin!(machine);
    let cx = &mut Context::from_waker(Waker::noop());
    let mut dormant = 0;
    loop {
        let polled = machine.as_mut().poll(cx);
        dormant += usize::from(tree(machine.as_mut()).contains(", dormant"));
        if let Poll::Ready(output) = polled {
            return (output, dormant);
        }
    }
}

#[volt::state_machine]
async fn of_std() -> u32 {
    let mut held = pin!(page(1));
    poll_once(held.as_mut()).await;
    page(10).await + held.await
}

#[test]
fn pinned_value_continues_after_inspections() {
    assert_eq!(run(of_std()), (14, 2));
}

#[test]
fn machine_is_dropped_beside_a_dormant_local() {
    let mut machine = Box::pin(of_std());
    let tree = after(1, machine.as_mut());
    assert!(tree.contains("[held] Page at await default"), "{tree}");
    drop(machine);
}

#[volt::state_machine]
async fn of_tokio() -> u32 {
    let (first, second) = (page(1), page(2));
    tokio::pin!(first, second);
    poll_once(first.as_mut()).await;
    poll_once(second.as_mut()).await;
    page(10).await + first.await + second.await
}

#[test]
fn rebound_values_continue_after_inspections() {
    assert_eq!(run(of_tokio()), (17, 3));
}

#[volt::state_machine]
async fn in_a_scope() -> u32 {
    let mut sum = 0;
    for number in 0..3 {
        let mut held = pin!(page(number));
        poll_once(held.as_mut()).await;
        Pause::default().await;
        sum += number;
    }
    // The values are dropped here.
    sum + page(10).await
}

#[test]
fn dropped_value_is_not_read_after_its_scope() {
    assert_eq!(run(in_a_scope()), (15, 3));
}

#[volt::state_machine]
async fn with_a_borrow() -> u32 {
    let mut held = pin!(page(1));
    poll_once(held.as_mut()).await;
    // The borrow is live across the next await.
    let rest = held.as_mut();
    let mut rest = Some(rest);
    page(10).await;
    let rest = rest.take();
    rest.map_or(0, |_| 1) + held.await
}

#[test]
fn live_borrow_is_valid_after_inspections() {
    assert_eq!(run(with_a_borrow()).0, 3);
}

#[volt::state_machine]
async fn replaced() -> u32 {
    let mut held = pin!(page(1));
    poll_once(held.as_mut()).await;
    held.set(page(2));
    page(10).await + held.await
}

#[test]
fn replaced_value_is_inspected_instead() {
    let mut machine = pin!(replaced());
    let tree = after(1, machine.as_mut());
    assert!(tree.contains("[held] Page at start"), "{tree}");
    assert_eq!(run(replaced()).0, 15);
}

struct Movable(bool);

impl Future for Movable {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(1)
        } else {
            Poll::Pending
        }
    }
}

/// A future that polls another one by a reference.
struct By<'a, F>(Pin<&'a mut F>);

impl<F: Future> Future for By<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(cx)
    }
}

#[volt::state_machine]
async fn of_unpin() -> u32 {
    let mut held = pin!(Movable(false));
    let mut both = (By(held.as_mut()), 0);
    poll_once(Pin::new(&mut both.0)).await;
    poll_once(pin!(async { Pause::default().await })).await;
    Pause::default().await;
    both.0.await
}

#[test]
fn unpin_value_is_not_read() {
    assert_eq!(run(of_unpin()).0, 1);
}

#[volt::state_machine]
async fn of_parameter<F: Future<Output = u32>>(future: F) -> u32 {
    let mut held = pin!(future);
    poll_once(held.as_mut()).await;
    Pause::default().await;
    held.await
}

#[test]
fn value_of_a_parameter_is_not_read() {
    assert_eq!(run(of_parameter(Movable(false))), (1, 1));
    assert_eq!(run(of_parameter(page(1))), (2, 1));
}

#[volt::state_machine]
async fn panics() -> u32 {
    let mut held = pin!(page(1));
    poll_once(held.as_mut()).await;
    Pause::default().await;
    assert!(held.as_mut().state().name.is_empty(), "it has a state");
    held.await
}

#[test]
fn panicked_machine_has_no_dormant_local() {
    let mut machine = Box::pin(panics());
    assert!(after(1, machine.as_mut()).contains("[held] Page"));
    let poll = std::panic::AssertUnwindSafe(|| {
        let cx = &mut Context::from_waker(Waker::noop());
        machine.as_mut().poll(cx).is_pending()
    });
    assert!(std::panic::catch_unwind(poll).is_err());
    assert!(!tree(machine.as_mut()).contains("held"));
}

/// Pins in the same way, by a name that the attribute does not know.
macro_rules! pin_unknown {
    ($value:expr) => {
        core::pin::pin!($value)
    };
}

#[volt::state_machine]
async fn of_unknown_macro() -> u32 {
    let mut held = pin_unknown!(page(1));
    poll_once(held.as_mut()).await;
    page(10).await + held.await
}

#[test]
fn pinned_local_takes_at_most_four_words() {
    assert_eq!(run(of_unknown_macro()), (14, 0));
    let (known, unknown) = (size_of_val(&of_std()), size_of_val(&of_unknown_macro()));
    assert_eq!(known - unknown, 4 * size_of::<usize>());
}
