//! Bodies on which native machines once failed, made smaller.

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

async fn turn() {
    let mut polled = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
    }
}

#[volt::state_machine(native)]
async fn lints_within() -> u32 {
    #![allow(unused_variables, reason = "an inner attribute")]
    #![allow(clippy::let_and_return, reason = "another one")]
    let unused = [1].iter().map(|it| it + 1);
    turn().await;
    let kept = 3;
    kept
}

struct Host(u32);

#[volt::state_machine(native)]
impl Host {
    #![allow(unused_variables, reason = "an inner attribute of the block")]

    async fn number(&self) -> u32 {
        #![allow(non_snake_case, reason = "an inner attribute")]
        let unused = [1].iter().map(|it| it + 1);
        let Kept = self.0;
        turn().await;
        Kept
    }
}

#[test]
fn inner_attributes_hold_for_the_body() {
    assert_eq!(run(lints_within()), 3);
    assert_eq!(run(Host(7).number()), 7);
}

macro_rules! declares {
    ($name:ident, $declare:stmt, $declared:ident) => {
        #[volt::state_machine(native)]
        async fn $name() -> u32 {
            {
                turn().await;
            }
            $declare;
            turn().await;
            $declared
        }
    };
}

declares!(declares, let declared = 5, declared);

#[test]
fn statement_of_a_macro_stands_behind_a_block() {
    assert_eq!(run(declares()), 5);
}

#[volt::state_machine(native)]
impl Host {
    async fn on_condition(&self, #[cfg(any())] gone: Gone, #[cfg(test)] here: u32) -> u32 {
        turn().await;
        self.0 + here
    }

    async fn generic_on_condition<T>(&self, #[cfg(any())] gone: Gone, kept: T) -> T {
        turn().await;
        kept
    }
}

#[volt::state_machine(native)]
async fn function_on_condition<T>(#[cfg(any())] gone: Gone, kept: T) -> T {
    turn().await;
    kept
}

#[test]
fn argument_on_condition_is_there_or_gone() {
    assert_eq!(run(Host(7).on_condition(1)), 8);
    assert_eq!(run(Host(7).generic_on_condition(1)), 1);
    assert_eq!(run(function_on_condition(2)), 2);
}

#[repr(align(64))]
struct Wide(u8);

impl Wide {
    fn is_aligned(&self) -> bool {
        std::ptr::from_ref(self).addr().is_multiple_of(64)
    }
}

macro_rules! keeps_wide {
    ($name:ident $($option:tt)*) => {
        #[volt::state_machine(native $($option)*)]
        async fn $name(seed: u8) -> bool {
            let wide = Wide(seed);
            let before = std::hint::black_box(&wide).is_aligned();
            turn().await;
            before && std::hint::black_box(&wide).is_aligned() && wide.0 == seed
        }
    };
}

keeps_wide!(keeps_wide);
keeps_wide!(keeps_wide_untraced, trace = false);

#[volt::state_machine(native, trace = false)]
async fn without_arguments() -> u64 {
    let kept = std::hint::black_box(7_u64);
    turn().await;
    kept
}

#[test]
fn coroutine_lies_at_its_alignment() {
    assert!(run(keeps_wide(1)));
    assert!(run(keeps_wide_untraced(2)));
    assert_eq!(run(without_arguments()), 7);
}

#[volt::state_machine(native)]
async fn borrowed(ref mut list: Vec<u32>, (ref first, ref mut last): (u32, u32)) -> u32 {
    list.push(1);
    *last += 1;
    turn().await;
    list.push(*first);
    list.iter().sum::<u32>() + *last
}

#[test]
fn pattern_borrows_its_argument_to_change_it() {
    assert_eq!(run(borrowed(vec![1], (2, 3))), 8);
}

#[volt::state_machine(native)]
async fn named_as_a_lifetime(m: &u64) -> u64 {
    turn().await;
    *m
}

#[test]
fn argument_may_have_any_name() {
    assert_eq!(run(named_as_a_lifetime(&4)), 4);
}

struct Owner<T>(T, u32);

#[volt::state_machine(native)]
impl<T: AsRef<str>> Owner<T> {
    async fn generic(self, text: &str, (n, _): (u32, String), more: impl Into<String>) -> String {
        let Self(kept, _) = self;
        turn().await;
        format!("{}{text}{n}{}", kept.as_ref(), more.into())
    }
}

#[volt::state_machine(native)]
impl Owner<String> {
    async fn joined(self, middle: &str, end: String) -> String {
        let Self(text, _) = self;
        turn().await;
        text + middle + &end
    }

    #[state_machine(native, trace = false)]
    async fn joined_untraced(mut self, middle: &str, end: String) -> String {
        self.1 += 1;
        let Self(text, _) = self;
        turn().await;
        text + middle + &end
    }

    /// With one argument more than lints let pass.
    async fn many(self, a: u32, b: u32, c: u32, d: u32, e: u32, (f, _): (u32, u32)) -> u32 {
        turn().await;
        self.1 + a + b + c + d + e + f
    }
}

#[test]
fn method_by_value_takes_its_other_arguments() {
    let owner = || Owner(String::from("a"), 1);
    assert_eq!(run(owner().generic("b", (2, String::new()), 'c')), "ab2c");
    assert_eq!(run(owner().joined("b", "c".into())), "abc");
    assert_eq!(run(owner().joined_untraced("b", "c".into())), "abc");
    assert_eq!(run(owner().many(1, 1, 1, 1, 1, (1, 2))), 7);
    drop(owner().joined("b", "c".into()));
}
