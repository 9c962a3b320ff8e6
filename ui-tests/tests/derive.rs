//! Machines that derive `Clone`, `PartialEq`, `Eq` and `Hash`.
#![forbid(unsafe_code)]

use std::collections::hash_map::DefaultHasher;
use std::future::{Future, ready};
use std::hash::{Hash, Hasher};
use std::marker::PhantomPinned;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use volt::task::yield_now;

/// A future that must not move once it was polled, and whose clones begin anew.
#[derive(Debug)]
struct Pinned {
    _pinned: PhantomPinned,
}

impl Clone for Pinned {
    fn clone(&self) -> Self {
        pinned()
    }
}

fn pinned() -> Pinned {
    Pinned {
        _pinned: PhantomPinned,
    }
}

impl Future for Pinned {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[volt::state_machine(derive(Clone, PartialEq, Eq, Hash))]
async fn dots(name: String, limit: usize) -> String {
    let mut text = name.clone();
    drop(name);
    let steps = [1_u32; 40];
    let mut count = 0;
    while count < limit {
        yield_now().await;
        text.push('.');
        count += steps[count] as usize;
    }
    text
}

#[volt::state_machine(derive(Clone))]
async fn both<F: Future, T>(first: F, kept: T) -> F::Output {
    yield_now().await;
    let output: F::Output = first.await;
    drop(kept);
    output
}

#[volt::state_machine(derive(Clone, PartialEq, Eq, Hash))]
async fn lent(text: &str, _guard: Rc<u32>) -> usize {
    yield_now().await;
    text.len()
}

#[volt::state_machine(derive(Clone, PartialEq))]
async fn caller(text: &str) -> usize {
    let one: usize = lent(text, Rc::new(1)).await;
    let two: usize = Box::pin(lent(text, Rc::new(2))).await;
    one + two
}

#[volt::state_machine(derive(Clone))]
async fn held_in_place() -> u32 {
    let _guard: Rc<u32> = Rc::new(1);
    pinned().await
}

#[volt::state_machine(derive(Clone, PartialEq, Eq, Hash))]
async fn lent_any<T: ?Sized>(value: &T, number: u32) -> usize {
    yield_now().await;
    number as usize + size_of_val(value)
}

#[volt::state_machine(derive(Clone))]
async fn depth(left: u32) -> u32 {
    if left == 0 {
        return 0;
    }
    yield_now().await;
    let below: u32 = Box::pin(depth(left - 1)).await;
    below + 1
}

fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn run<F: Future>(future: F) -> F::Output {
    let mut future = std::pin::pin!(future);
    loop {
        let polled = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        if let Poll::Ready(output) = polled {
            return output;
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn clone_goes_on_from_where_the_original_stands() {
    let mut machine = dots("a".into(), 3);
    assert!(poll(&mut machine).is_pending());
    assert!(poll(&mut machine).is_pending());
    let mut clone = machine.clone();
    assert!(poll(&mut clone).is_pending());
    assert_eq!(poll(&mut clone), Poll::Ready("a...".to_owned()));
    assert_eq!(run(machine), "a...");
    assert!(clone.clone().is_terminated());
}

#[test]
fn machines_with_equal_states_and_values_are_equal() {
    let (mut one, mut other) = (dots("a".into(), 3), dots("a".into(), 3));
    assert_eq!(one, other);
    assert_ne!(one, dots("b".into(), 3));
    assert!(poll(&mut one).is_pending());
    assert_ne!(one, other);
    assert!(poll(&mut other).is_pending());
    assert_eq!(one, other);
    assert_eq!(hash(&one), hash(&other));
    assert!(poll(&mut one).is_pending());
    assert_ne!(one, other);
}

#[test]
fn generic_machine_is_clone_if_its_fields_are() {
    let machine = both(ready(7), Rc::new(1));
    let clone = machine.clone();
    assert_eq!((run(machine), run(clone)), (7, 7));
}

#[test]
fn clone_shares_borrowed_values() {
    let text = String::from("four");
    let mut machine = caller(&text);
    assert!(poll(&mut machine).is_pending());
    let clone = machine.clone();
    assert_eq!(machine, clone);
    assert_eq!((run(machine), run(clone)), (8, 8));
}

#[test]
fn borrowed_values_are_compared() {
    assert_eq!(lent_any("a", 1), lent_any("a", 1));
    assert_ne!(lent_any("a", 1), lent_any("b", 1));
    assert_eq!(run(lent_any(&7_u8, 1)), 2);
}

#[test]
fn clone_copies_values_with_destructors_only() {
    let guard = Rc::new(1);
    let mut machine = lent("a", Rc::clone(&guard));
    assert!(poll(&mut machine).is_pending());
    let clone = machine.clone();
    assert_eq!(Rc::strong_count(&guard), 3);
    drop((machine, clone));
    assert_eq!(Rc::strong_count(&guard), 1);
}

#[test]
fn clone_of_a_pinned_machine_is_not_pinned() {
    let mut machine = Box::pin(held_in_place());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    let clone: HeldInPlace = (*machine).clone();
    let moved = Box::new(clone);
    let mut moved = Box::into_pin(moved);
    assert!(moved.as_mut().poll(&mut cx).is_pending());
}

#[test]
fn clone_reaches_through_boxes() {
    let mut machine = depth(3);
    assert!(poll(&mut machine).is_pending());
    assert_eq!(run(machine.clone()), 3);
    assert_eq!(run(machine), 3);
}
