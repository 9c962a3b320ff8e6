//! Loops whose only awaits are in macros, over futures that are always ready. A machine gives way
//! in them, and a timeout around it elapses.
#![cfg(not(miri))]

use std::cell::Cell;
use std::future::{Ready, pending, poll_fn, ready};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures::FutureExt;
use volt::time::timeout;

macro_rules! wait {
    ($future:expr) => {
        $future.await
    };
}

/// The most leaves that a poll may await.
const LIMIT: u64 = 1024;
/// The number of leaves after which a loop did not give way.
const END: u64 = 10_000_000;

thread_local! {
    static LEAVES: Cell<u64> = const { Cell::new(0) };
}

/// A future that is ready, and counted.
fn leaf() -> Ready<u64> {
    let count = LEAVES.get() + 1;
    assert!(count < END, "the loop does not give way");
    LEAVES.set(count);
    ready(count)
}

#[volt::state_machine]
async fn select() {
    loop {
        tokio::select! {
            _ = leaf() => {}
            () = pending() => {}
        }
    }
}

#[volt::state_machine]
async fn select_of_ready_branches() {
    loop {
        tokio::select! {
            biased;
            _ = leaf() => leaf().await,
            _ = leaf() => 0,
        };
    }
}

#[volt::state_machine]
async fn select_as_value() -> u64 {
    let mut last = 0;
    loop {
        let next = tokio::select! {
            number = leaf() => number,
            () = pending() => 0,
        };
        if next == END {
            return last;
        }
        last = next;
    }
}

#[volt::state_machine]
async fn select_of_futures() {
    loop {
        futures::select! {
            _ = leaf().fuse() => {}
            () = futures::future::pending().fuse() => {}
        }
    }
}

#[volt::state_machine]
async fn select_in_an_arm(number: u64) {
    loop {
        match number {
            0 => return,
            _ => tokio::select! {
                _ = leaf() => {}
                () = pending() => {}
            },
        }
    }
}

#[volt::state_machine]
async fn join() {
    loop {
        tokio::join!(leaf(), leaf());
    }
}

#[volt::state_machine]
async fn try_join() -> Result<(), u64> {
    loop {
        let ok = |number| Ok::<u64, u64>(number);
        let (_first, _second) = futures::try_join!(leaf().map(ok), leaf().map(ok))?;
    }
}

/// The loop has an await that is counted, and a macro that is not.
#[volt::state_machine]
async fn join_beside_an_await() {
    leaf().await;
    loop {
        tokio::join!(ready(()));
        leaf().await;
    }
}

#[volt::state_machine]
async fn assertions() {
    loop {
        assert!(leaf().await > 0);
    }
}

#[volt::state_machine(native)]
async fn assertions_natively() {
    loop {
        assert!(leaf().await > 0);
    }
}

#[volt::state_machine]
async fn statement() {
    loop {
        wait!(leaf());
    }
}

#[volt::state_machine]
async fn bound_value() {
    loop {
        let number = wait!(leaf());
        assert!(number < END);
    }
}

#[volt::state_machine]
async fn argument() {
    for number in 0.. {
        let sum = number + wait!(leaf());
        assert!(sum > 0);
    }
}

#[volt::state_machine]
async fn condition() {
    let mut last = 0;
    while wait!(leaf()) > last {
        last += 1;
    }
}

#[volt::state_machine]
async fn pattern() -> u64 {
    let mut last = 0;
    'numbers: while let Some(number) = wait!(leaf().map(Some)) {
        if number == 0 {
            continue 'numbers;
        }
        if number == END {
            break;
        }
        last = number;
    }
    last
}

#[volt::state_machine]
async fn generic<T: Clone + Send>(value: T) {
    loop {
        let _copy = wait!(leaf().map(|_| value.clone()));
    }
}

struct Counter(u64);

#[volt::state_machine]
impl Counter {
    async fn method(&mut self) {
        loop {
            self.0 += wait!(leaf());
        }
    }
}

#[volt::state_machine]
async fn block() {
    let inner = async {
        loop {
            wait!(leaf());
        }
    };
    inner.await
}

#[volt::state_machine]
async fn closure() {
    let inner = async || {
        loop {
            tokio::join!(leaf());
        }
    };
    inner().await
}

/// Polls a future once within a runtime. It is pending, and has awaited few leaves.
#[track_caller]
fn assert_gives_way(future: impl Future) {
    LEAVES.set(0);
    volt::block_on(async {
        let mut future = pin!(future);
        let is_pending = poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx).is_pending()));
        assert!(is_pending.await);
    });
    assert!((1..=LIMIT).contains(&LEAVES.get()), "{}", LEAVES.get());
}

#[test]
fn loops_of_select_give_way() {
    assert_gives_way(select());
    assert_gives_way(select_of_ready_branches());
    assert_gives_way(select_as_value());
    assert_gives_way(select_of_futures());
    assert_gives_way(select_in_an_arm(1));
}

#[test]
fn loops_of_join_give_way() {
    assert_gives_way(join());
    assert_gives_way(try_join());
    assert_gives_way(join_beside_an_await());
}

#[test]
fn loops_of_assertions_give_way() {
    assert_gives_way(assertions());
    assert_gives_way(assertions_natively());
}

#[test]
fn loops_of_own_macros_give_way() {
    assert_gives_way(statement());
    assert_gives_way(bound_value());
    assert_gives_way(argument());
    assert_gives_way(condition());
    assert_gives_way(pattern());
    assert_gives_way(generic("text"));
    assert_gives_way(Counter(0).method());
}

#[test]
fn loops_of_blocks_in_machines_give_way() {
    assert_gives_way(block());
    assert_gives_way(closure());
}

#[volt::test]
async fn loop_in_a_test_gives_way() {
    LEAVES.set(0);
    let has_run = Arc::new(AtomicBool::new(false));
    let flag = has_run.clone();
    let task = volt::spawn(async move { flag.store(true, Relaxed) });
    while !has_run.load(Relaxed) {
        tokio::select! {
            _ = leaf() => {}
            () = pending() => {}
        }
    }
    task.await.unwrap();
}

#[test]
fn timeouts_around_loops_elapse() {
    LEAVES.set(0);
    let limit = Duration::from_millis(1);
    volt::block_on(async {
        assert!(timeout(limit, select()).await.is_err());
        assert!(timeout(limit, join()).await.is_err());
        assert!(timeout(limit, statement()).await.is_err());
    });
}

#[cfg(feature = "tokio")]
#[test]
fn timeouts_with_tokio_context_elapse() {
    let runtime = volt::Runtime::builder().tokio_context().build().unwrap();
    let task = runtime.spawn(async {
        let limit = Duration::from_millis(1);
        timeout(limit, select()).await.is_err() && timeout(limit, pattern()).await.is_err()
    });
    assert!(runtime.block_on(task).unwrap());
}

/// Ends when the other future of its task has run.
#[volt::state_machine]
async fn until(flag: Rc<Cell<bool>>) {
    while !flag.get() {
        tokio::select! {
            _ = leaf() => {}
            () = pending() => {}
        }
    }
}

#[test]
fn other_future_of_a_join_proceeds() {
    LEAVES.set(0);
    let flag = Rc::new(Cell::new(false));
    let other = async { flag.set(true) };
    volt::block_on(async { futures::join!(until(flag.clone()), other) });
    assert!(LEAVES.get() <= LIMIT);
}

#[volt::state_machine]
async fn many() -> u64 {
    let mut count = 0;
    while count < 10 * LIMIT {
        count += wait!(ready(1));
    }
    count
}

#[test]
fn loop_outside_of_a_runtime_does_not_wait() {
    let polled = pin!(many()).poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(polled, Poll::Ready(10 * LIMIT));
    assert_eq!(volt::block_on(many()), 10 * LIMIT);
}
