//! Machines that keep the compiler's coroutine, because their fields would be larger.
//!
//! A method copies a local, and the macro cannot see that the copy borrows nothing. Or a function
//! named `poll_fn` is not that of `core`. `inferred/fallback` holds that these machines keep the
//! coroutine.
//!
//! `subject!` decides what the cases become.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::log::*;

/// As large as to be noticed, and a copy.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    numbers: [u64; 16],
}

impl Block {
    pub(crate) fn of(number: u64) -> Self {
        note("block");
        Self { numbers: [number; 16] }
    }

    fn doubled(self) -> Self {
        note("doubled");
        Self { numbers: self.numbers.map(|number| number * 2) }
    }

    fn first(self) -> u64 {
        self.numbers[0]
    }
}

async fn filled(name: &'static str, things: &mut Vec<D>, count: u64) -> u64 {
    things.push(D("filled"));
    tick(name).await;
    count + things.len() as u64
}

subject! {
    async fn element_copied(host: D, number: u64) -> u64 {
        let mut things = vec![D("first"), host];
        let blocks = [Block::of(number), Block::of(2)];
        filled("one", &mut things, blocks[1].doubled().first()).await
    }
}

subject! {
    async fn copied_before(host: D, block: Block, last: D) -> u64 {
        tick("start").await;
        let twice = [block.doubled(), block];
        let mut things = vec![host];
        let other = twice[0].doubled();
        let n = filled("one", &mut things, 1).await;
        look(&last);
        let m = filled("two", &mut things, other.first()).await;
        n + m
    }
}

subject! {
    async fn ends_by_question(number: Option<u64>, host: D) -> Option<u64> {
        let blocks = [Block::of(number?)];
        let mut things = vec![host];
        let first = blocks[0].doubled();
        filled("one", &mut things, 1).await;
        let given: Option<u64> = step("given", 1, number.filter(|number| *number > 1)).await;
        Some(given? + first.first())
    }
}

pub(crate) struct Owner {
    name: D,
    block: Block,
}

impl Owner {
    pub(crate) fn of(name: &'static str) -> Self {
        Self { name: D(name), block: Block::of(3) }
    }
}

subject! {
    async fn borrows_its_argument(owner: &mut Owner, other: D) -> u64 {
        let blocks = [owner.block.doubled()];
        let doubled = blocks[0].doubled();
        let mut things = vec![other];
        let n = filled("one", &mut things, 1).await;
        owner.block = doubled;
        look(&owner.name);
        n + owner.block.first()
    }
}

// The same local, moved by a method while another one is borrowed.
subject! {
    async fn copied_beside_a_lend(host: D, number: u64) -> u64 {
        let mut things = vec![host];
        let block = Block::of(number);
        let count = number + 1;
        filled("one", &mut things, count.wrapping_add(3)).await;
        filled("two", &mut things, block.first()).await
    }
}

/// A `poll_fn` of another crate, whose future has a field besides the closure.
mod other {
    use super::*;

    pub(crate) struct PollFn<F>(F, u64, D);

    pub(crate) fn poll_fn<T, F: FnMut(&mut Context<'_>) -> Poll<T>>(closure: F) -> PollFn<F> {
        PollFn(closure, 0, D("of another"))
    }

    impl<T, F: FnMut(&mut Context<'_>) -> Poll<T> + Unpin> Future for PollFn<F> {
        type Output = (T, u64);

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<(T, u64)> {
            self.1 += 1;
            look(&self.2);
            let polls = self.1;
            (self.0)(cx).map(|value| (value, polls))
        }
    }
}

subject! {
    async fn of_another_by_name(host: D, mut left: u64) -> u64 {
        use other::poll_fn;
        let ((), polls) = poll_fn(|cx| countdown(&mut left, cx)).await;
        look(&host);
        polls
    }
}

subject! {
    async fn of_another_by_path(host: D, mut left: u64) -> u64 {
        let ((), polls) = other::poll_fn(|cx| countdown(&mut left, cx)).await;
        tick("between").await;
        left += 2;
        let ((), more) = std::future::poll_fn(|cx| countdown(&mut left, cx).map(|()| ((), 1))).await;
        look(&host);
        polls + more
    }
}

fn countdown(left: &mut u64, cx: &mut Context<'_>) -> Poll<()> {
    note("countdown");
    if *left == 0 {
        return Poll::Ready(());
    }
    *left -= 1;
    cx.waker().wake_by_ref();
    Poll::Pending
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "element_copied", element_copied(D("host"), 3));
    case!(list, "copied_before", copied_before(D("host"), Block::of(1), D("last")));
    case!(list, "ends_by_question", ends_by_question(Some(2), D("host")));
    case!(list, "ends_by_question_soon", ends_by_question(None, D("host")));
    case!(list, "ends_by_question_late", ends_by_question(Some(1), D("host")));
    case!(list, "borrows_its_argument", async {
        borrows_its_argument(&mut Owner::of("owner"), D("other")).await
    });
    case!(list, "copied_beside_a_lend", copied_beside_a_lend(D("host"), 3));
    case!(list, "of_another_by_name", of_another_by_name(D("host"), 2));
    case!(list, "of_another_by_path", of_another_by_path(D("host"), 3));
    list
}
