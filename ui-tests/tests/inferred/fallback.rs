//! A machine whose fields would be larger than the compiler's future keeps that future.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use volt::machine::{Layout, StateMachine};
use volt::task::yield_now;

/// A copy, as a method takes it that gives another one.
#[derive(Clone, Copy)]
struct Block([u64; 32]);

impl Block {
    fn doubled(self) -> Self {
        Self(self.0.map(|number| number * 2))
    }
}

async fn pushed(list: &mut Vec<u64>, number: u64) -> usize {
    yield_now().await;
    list.push(number);
    list.len()
}

#[volt::state_machine]
async fn waits_twice(number: u64) -> u64 {
    let blocks = [Block([number; 32])];
    let mut list = Vec::new();
    let first = blocks[0].doubled();
    pushed(&mut list, 1).await;
    pushed(&mut list, first.0[0]).await;
    list.iter().sum()
}

#[volt::state_machine]
async fn waits_once(number: u64) -> usize {
    let blocks = [Block([number; 32])];
    let mut list = Vec::new();
    let first = blocks[0].doubled();
    let pushed = pushed(&mut list, 1).await;
    pushed + list.len() + usize::from(first.0[0] > 9)
}

/// Has the name of a function of `core`, and a future of its own.
mod other {
    pub(super) fn poll_fn<T>(value: impl Fn() -> T) -> std::future::Ready<T> {
        std::future::ready(value())
    }
}

#[volt::state_machine]
async fn polls_another(number: u64) -> u64 {
    other::poll_fn(|| number).await
}

#[volt::state_machine]
async fn polls_that_of_core(number: u64) -> u64 {
    use std::future::poll_fn;
    poll_fn(|_| Poll::Ready(number)).await
}

#[test]
fn foreign_poll_fn_is_stored_across_polls() {
    assert!(matches!(PollsAnother::LAYOUT, Layout::Native { .. }));
    assert_eq!(PollsThatOfCore::LAYOUT, Layout::Explicit);
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(pin!(polls_another(3)).poll(&mut cx), Poll::Ready(3));
    assert_eq!(pin!(polls_that_of_core(4)).poll(&mut cx), Poll::Ready(4));
}

fn why(layout: Layout) -> &'static str {
    match layout {
        Layout::Native { why, .. } => why,
        _ => "explicit",
    }
}

#[test]
fn machine_with_larger_fields_stores_coroutine() {
    assert_eq!(
        why(WaitsTwice::LAYOUT),
        "the explicit layout would be larger than the compiler's future"
    );
    assert!(matches!(WaitsOnce::LAYOUT, Layout::Native { .. }));
    assert_eq!(size_of::<WaitsTwice>(), WaitsTwice::NATIVE_SIZE.unwrap());
    assert_eq!(size_of::<WaitsOnce>(), WaitsOnce::NATIVE_SIZE.unwrap());
}

#[test]
fn machine_with_the_coroutine_tells_where_it_stands() {
    let mut cx = Context::from_waker(Waker::noop());
    let mut machine = pin!(waits_twice(2));
    assert_eq!(machine.state().name, "start");
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(
        (machine.state().name, machine.state().line),
        ("waiting", 27)
    );
    assert!(format!("{machine:?}").contains("waiting"));
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(5));
    assert_eq!(machine.state().name, "done");
    assert!(machine.is_terminated());

    let mut machine = pin!(waits_once(2));
    assert!(machine.as_mut().poll(&mut cx).is_pending());
    assert_eq!(machine.state().name, "await pushed");
    assert_eq!(machine.as_mut().poll(&mut cx), Poll::Ready(2));
}

#[test]
fn machine_with_the_coroutine_runs_in_a_task() {
    let runtime = volt::Runtime::new().unwrap();
    let sum = runtime.block_on(async { volt::spawn(waits_twice(4)).await });
    assert_eq!(sum.unwrap(), 9);
}

/// Owns its contents, which the macro cannot see in the name.
struct Listener(Vec<u64>);

#[volt::state_machine]
async fn owns_by_its_name(list: Vec<u64>) -> usize {
    let listener: Listener = Listener(list.to_vec());
    yield_now().await;
    listener.0.len() + list.len()
}

#[volt::state_machine]
async fn hides_a_lifetime(list: Vec<u64>) -> u64 {
    let rest: std::slice::Iter<u64> = list.iter();
    yield_now().await;
    rest.sum()
}

#[test]
fn hidden_lifetime_makes_the_machine_native() {
    assert_eq!(OwnsByItsName::LAYOUT, Layout::Explicit);
    assert_eq!(
        why(HidesALifetime::LAYOUT),
        "the written type of a local hides a lifetime: `rest`"
    );
    assert_eq!(volt::block_on(owns_by_its_name(vec![1, 2])), 4);
    assert_eq!(volt::block_on(hides_a_lifetime(vec![1, 2])), 3);
    fn movable<T: Unpin>(_: &T) {}
    movable(&owns_by_its_name(vec![]));
}
