//! Code that is known to panic or to overflow is no error in an `async fn`, so it is none in a
//! machine.
//!
//! The lints `unconditional_panic` and `arithmetic_overflow` are errors by default, and do not look
//! into coroutines.
#![allow(
    clippy::out_of_bounds_indexing,
    reason = "clippy reports the plain functions too"
)]

use std::future::{Future, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};

use volt::machine::{Layout, StateMachine};

#[volt::state_machine]
async fn index_is_outside() -> u32 {
    ready(()).await;
    let list = [1, 2, 3];
    list[5]
}

#[volt::state_machine]
async fn index_is_outside_after_await(n: usize) -> u32 {
    let list = [1, 2, 3];
    ready(()).await;
    if n == 7 {
        return list[7];
    }
    list[1]
}

#[volt::state_machine]
async fn divides_by_zero() -> u32 {
    let zero = 0;
    ready(()).await;
    let one = 1;
    one / (zero * one) + 1 / 0
}

#[volt::state_machine]
async fn remainder_of_zero() -> i32 {
    ready(()).await;
    5 % 0
}

#[volt::state_machine]
async fn adds_too_much() -> u8 {
    ready(()).await;
    let n: u8 = 255;
    n + 1
}

#[volt::state_machine]
async fn subtracts_before_await() -> u32 {
    let n = 0_u32;
    let below = n - 1;
    ready(()).await;
    below
}

#[volt::state_machine]
async fn negates_the_least() -> i32 {
    ready(()).await;
    -i32::MIN
}

#[volt::state_machine]
async fn shifts_too_far() -> u32 {
    ready(()).await;
    let far = 40;
    1_u32 << far
}

struct Pair([u32; 2]);

#[volt::state_machine]
impl Pair {
    async fn third(&self) -> u32 {
        ready(()).await;
        self.0[2]
    }
}

#[volt::state_machine]
async fn generic<T: Future<Output = u32>>(future: T) -> u32 {
    let n: u32 = future.await;
    n + [1][1]
}

fn panics(future: impl Future<Output: Sized>) -> bool {
    catch_unwind(AssertUnwindSafe(|| drop(volt::block_on(future)))).is_err()
}

#[test]
fn known_panic_happens_when_it_runs() {
    assert!(matches!(IndexIsOutside::LAYOUT, Layout::Explicit));
    assert!(matches!(SubtractsBeforeAwait::LAYOUT, Layout::Explicit));
    assert!(panics(index_is_outside()));
    assert!(panics(index_is_outside_after_await(7)));
    assert!(!panics(index_is_outside_after_await(6)));
    assert!(panics(divides_by_zero()));
    assert!(panics(remainder_of_zero()));
    assert!(panics(Pair([1, 2]).third()));
    assert!(panics(generic(ready(1))));
}

#[test]
fn known_overflow_panics_where_it_is_checked() {
    let is_checked = cfg!(debug_assertions);
    assert_eq!(panics(adds_too_much()), is_checked);
    assert_eq!(panics(subtracts_before_await()), is_checked);
    assert_eq!(panics(negates_the_least()), is_checked);
    assert_eq!(panics(shifts_too_far()), is_checked);
}
