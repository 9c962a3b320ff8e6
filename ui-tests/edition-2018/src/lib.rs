//! The attribute in a crate of edition 2018, where `panic!`, `assert!` and `unreachable!` with one
//! text do not format it.
#![cfg(test)]
#![allow(non_fmt_panics, reason = "the subject")]

use std::future::{ready, Future};
use std::panic::{catch_unwind, AssertUnwindSafe};

use volt::machine::{Layout, StateMachine};

/// The text that a future panics with.
fn text_of(future: impl Future<Output: Sized>) -> String {
    let run = AssertUnwindSafe(|| drop(volt::block_on(future)));
    let Err(panic) = catch_unwind(run) else {
        return "no panic".to_owned();
    };
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().expect("a text")).to_owned(),
    }
}

#[volt::state_machine]
async fn panics(n: u32) -> u32 {
    let w: usize = 4;
    ready(()).await;
    match n {
        0 => panic!("n is {n}"),
        1 => panic!("{}"),
        2 => panic!("n is {}", n),
        3 => panic!(String::from("own")),
        4 => unreachable!("n is {n}"),
        5 => std::panic!("n is {n}"),
        6 => panic!("{} and {n:>w$}", n, n = n, w = w),
        _ => n,
    }
}

#[volt::state_machine]
async fn asserts(n: u32, mut list: Vec<u32>) -> u32 {
    push(&mut list).await;
    assert!(n != 0, "n is {n}");
    assert!(n != 1, "{}");
    assert!(n != 2, String::from("own"));
    assert!(list.pop() != Some(n), "list {list:?}");
    push(&mut list).await;
    assert!(n != 4, "{n} of {}", list.len());
    n
}

async fn push(list: &mut Vec<u32>) {
    list.push(3);
}

#[volt::state_machine]
async fn shadowed(n: u32) -> u32 {
    ready(()).await;
    {
        let n = n + 1;
        ready(()).await;
        assert!(n != 1, "n is {n}");
        if n == 2 {
            panic!("n is {n:?}");
        }
    }
    n
}

struct Page {
    title: &'static str,
}

#[volt::state_machine]
impl Page {
    async fn read(&self, width: usize) -> usize {
        ready(()).await;
        let check = |n: usize| {
            assert!(n != 3, "n is {n}");
            n
        };
        assert!(self.title.len() != width, "width {width}");
        check(width)
    }
}

#[test]
fn panic_prints_a_single_text_unformatted() {
    assert!(matches!(Panics::LAYOUT, Layout::Explicit));
    let texts: Vec<_> = (0..8).map(|n| text_of(panics(n))).collect();
    let expected = [
        "n is {n}",
        "{}",
        "n is 2",
        "own",
        "internal error: entered unreachable code: n is {n}",
        "n is {n}",
        "6 and    6",
        "no panic",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn assert_prints_a_single_text_unformatted() {
    assert!(matches!(Asserts::LAYOUT, Layout::Explicit));
    let texts: Vec<_> = (0..6).map(|n| text_of(asserts(n, Vec::new()))).collect();
    let expected = [
        "n is {n}",
        "{}",
        "own",
        "list {list:?}",
        "4 of 1",
        "no panic",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn assert_of_a_renamed_local_keeps_its_text() {
    let texts: Vec<_> = (0..3).map(|n| text_of(shadowed(n))).collect();
    assert_eq!(texts, ["n is {n}", "n is {n:?}", "no panic"]);
}

#[test]
fn assert_in_a_closure_keeps_its_text() {
    let page = Page { title: "four" };
    let texts: Vec<_> = (2..5).map(|n| text_of(page.read(n))).collect();
    assert_eq!(texts, ["no panic", "n is {n}", "width {width}"]);
}

/// Trait objects without `dyn`, which this edition accepts.
mod bare_objects {
    #![allow(bare_trait_objects, reason = "the subject")]

    use std::future::ready;

    #[volt::state_machine]
    pub(super) async fn boxed(act: Box<Fn(u32) -> u32>) -> u32 {
        act(ready(1).await)
    }

    #[volt::state_machine(native)]
    pub(super) async fn borrowed(act: &mut FnMut(u32) -> u32) -> u32 {
        let inner: Box<Fn(u32) -> u32> = Box::new(|number| number + 1);
        act(ready(inner(1)).await)
    }
}

#[test]
fn trait_objects_without_a_keyword_are_accepted() {
    assert_eq!(volt::block_on(bare_objects::boxed(Box::new(|n| n + 1))), 2);
    let mut sum = 1;
    let mut add = |number| {
        sum += number;
        sum
    };
    assert_eq!(volt::block_on(bare_objects::borrowed(&mut add)), 3);
}
