//! Bounds of native machines: between their lifetimes, and those that the compiler finds by itself.

use std::future::{Future, ready};
use std::panic::{RefUnwindSafe, UnwindSafe};

use volt::block_on;
use volt::task::yield_now;

#[volt::state_machine(native)]
async fn either<'a, 'b: 'a>(one: &'a str, other: &'b str) -> &'a str {
    yield_now().await;
    if one.is_empty() { other } else { one }
}

#[volt::state_machine(native)]
async fn fixed<'a, T>(text: &'a str, _: T) -> usize
where
    'a: 'static,
    T: 'a,
{
    yield_now().await;
    text.len()
}

#[volt::state_machine(native)]
async fn asked_for_any_lifetimes() -> usize {
    either("", "one").await.len() + fixed("two", "three").await
}

#[test]
fn function_with_bounds_between_lifetimes_is_awaited() {
    fn sent<F: Future + Send + 'static>(future: F) -> F {
        future
    }
    assert_eq!(block_on(sent(asked_for_any_lifetimes())), 6);
}

#[volt::state_machine(native)]
async fn of_any_type<T>(value: T) -> T {
    ready(()).await;
    value
}

#[volt::state_machine(native, trace = false)]
async fn of_any_type_untraced<T>(value: T) -> T {
    ready(()).await;
    value
}

#[volt::state_machine(native)]
async fn without_parameters(value: u32) -> u32 {
    ready(()).await;
    value
}

#[volt::state_machine(native, trace = false)]
async fn without_parameters_untraced(value: u32) -> u32 {
    ready(()).await;
    value
}

#[volt::state_machine(boxed)]
async fn in_a_box<T>(value: T) -> T {
    ready(()).await;
    value
}

#[volt::state_machine(explicit)]
async fn of_states(list: Vec<u32>) -> u32 {
    let mut sum = 0;
    for value in list {
        ready(()).await;
        sum += value;
    }
    sum
}

#[volt::state_machine(explicit)]
async fn of_states_of_any_type<T>(value: T, first: std::future::Ready<()>) -> T {
    first.await;
    value
}

#[test]
fn machine_is_unwind_safe_as_the_compilers_future_is() {
    fn safe<F: Future + UnwindSafe + RefUnwindSafe>(future: F) -> F {
        future
    }
    assert_eq!(block_on(safe(of_any_type(1))), 1);
    assert_eq!(block_on(safe(of_any_type_untraced(2))), 2);
    assert_eq!(block_on(safe(without_parameters(3))), 3);
    assert_eq!(block_on(safe(without_parameters_untraced(4))), 4);
    assert_eq!(block_on(safe(in_a_box(5))), 5);
    assert_eq!(block_on(safe(of_states(vec![6]))), 6);
    assert_eq!(block_on(safe(of_states_of_any_type(7, ready(())))), 7);
}
