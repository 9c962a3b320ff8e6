//! The trees of `async` blocks in native machines.

use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use volt::future::{FuturesExt as _, join_all};
use volt::task::yield_now;
use volt_inspect::{Inspector, TreeWriter};

/// Polls a future, and returns the lines of its tree without places.
fn tree_after<F: Future>(polls: usize, future: F) -> Vec<String> {
    volt::block_on(async {
        let mut future = pin!(future);
        let mut cx = Context::from_waker(Waker::noop());
        for _ in 0..polls {
            assert!(future.as_mut().poll(&mut cx).is_pending());
        }
        let mut tree = TreeWriter::new(String::new());
        Inspector::new(&mut tree).future(future);
        let written = tree.into_inner();
        let line = |line: &str| line.trim().split(", volt/").next().unwrap().to_owned();
        written.lines().map(line).collect()
    })
}

#[volt::state_machine(explicit)]
async fn wait() {
    pending::<()>().await;
}

#[volt::state_machine(native)]
async fn block() {
    async { wait().await }.await;
}

#[test]
fn block_shows_its_await() {
    let expected = [
        "Block at await async block",
        "Block::{async block} at await wait",
        "Wait at await pending",
        "core::future::pending::Pending<()>",
    ];
    assert_eq!(tree_after(1, block()), expected);
}

#[volt::state_machine(native)]
async fn block_with_loop() {
    async {
        loop {
            wait().await;
        }
    }
    .await;
}

#[test]
fn await_in_loop_of_block_has_its_name() {
    let tree = tree_after(1, block_with_loop());
    assert_eq!(tree[1], "BlockWithLoop::{async block} at await wait");
}

#[volt::state_machine(native)]
async fn joined() {
    let first = async {
        yield_now().await;
        wait().await;
    };
    let second = async { wait().await };
    (first, second).join().await;
}

#[test]
fn joined_blocks_show_their_awaits() {
    let of_second = [
        "[1] Joined::{async block} at await wait",
        "Wait at await pending",
        "core::future::pending::Pending<()>",
    ];
    let first = [
        "Joined at await join",
        "Join",
        "[0] Joined::{async block} at await yield_now",
    ];
    let tree = tree_after(1, joined());
    assert_eq!(tree[..3], first);
    assert_eq!(tree[tree.len() - 3..], of_second);
    let tree = tree_after(2, joined());
    assert_eq!(
        tree[2..4],
        ["[0] Joined::{async block} at await wait", of_second[1]]
    );
    assert_eq!(tree[tree.len() - 3..], of_second);
}

#[volt::state_machine(native)]
async fn of_a_closure(count: u32) {
    join_all((0..count).map(|_| async { async { wait().await }.await })).await;
}

#[test]
fn blocks_of_a_closure_show_their_awaits() {
    let tree = tree_after(1, of_a_closure(2));
    let blocks = tree.iter().filter(|line| line.contains("{async block}"));
    assert_eq!(blocks.count(), 4, "{tree:?}");
    let waits = tree
        .iter()
        .filter(|line| line.contains("Wait at await pending"));
    assert_eq!(waits.count(), 2, "{tree:?}");
}

#[volt::state_machine(native)]
async fn left() {
    {
        let mut block = pin!(async { wait().await });
        let polled = std::future::poll_fn(|cx| Poll::Ready(block.as_mut().poll(cx))).await;
        assert!(polled.is_pending());
    }
    pending::<()>().await;
}

#[test]
fn dropped_block_is_not_shown() {
    let expected = [
        "Left at await pending",
        "core::future::pending::Pending<()>",
    ];
    assert_eq!(tree_after(1, left()), expected);
}

#[volt::state_machine(native)]
async fn panics() {
    let mut block = pin!(async {
        yield_now().await;
        panic!("the block panics");
    });
    yield_now().await;
    for panics in [false, true] {
        let polled = std::future::poll_fn(|cx| {
            let poll = AssertUnwindSafe(|| block.as_mut().poll(cx));
            Poll::Ready(catch_unwind(poll).is_err())
        });
        assert_eq!(polled.await, panics);
    }
    wait().await;
}

#[test]
fn panicked_block_keeps_its_machine() {
    let tree = tree_after(2, panics());
    assert_eq!(tree[..2], ["Panics at await wait", "Wait at await pending"]);
}

#[volt::state_machine(native)]
async fn counts(limit: u32) -> u32 {
    let sum = async {
        let mut sum = 0;
        while sum < limit {
            sum += std::future::ready(1).await;
        }
        sum
    };
    sum.await
}

#[test]
fn block_in_a_long_loop_ends() {
    assert_eq!(volt::block_on(counts(10_000)), 10_000);
}

#[volt::state_machine(native)]
async fn sized() -> usize {
    let traced = async { wait().await };
    size_of_val(&traced)
}

#[test]
fn block_has_no_bytes_for_its_await() {
    let plain = async { wait().await };
    let traced = volt::block_on(sized());
    assert_eq!(traced, size_of_val(&plain));
}

#[volt::state_machine(native)]
async fn block_after<F: Future, const N: usize>(future: F) {
    let block = async {
        let room = [1_u8; N];
        future.await;
        wait().await;
        assert!(room.iter().all(|&byte| byte == 1));
    };
    block.await;
}

/// Each type of the block has another layout, and awaits another future first.
#[test]
fn each_type_of_a_generic_block_shows_its_await() {
    let last = [
        "BlockAfter at await block",
        "BlockAfter::{async block} at await wait",
        "Wait at await pending",
        "core::future::pending::Pending<()>",
    ];
    for _ in 0..2 {
        assert_eq!(tree_after(2, block_after::<_, 3>(yield_now())), last);
        assert_eq!(tree_after(2, block_after::<_, 300>(yield_now())), last);
        let first = [
            "BlockAfter at await block",
            "BlockAfter::{async block} at await future",
            "Wait at await pending",
            "core::future::pending::Pending<()>",
        ];
        assert_eq!(tree_after(1, block_after::<_, 3>(wait())), first);
    }
}

#[volt::state_machine(native)]
async fn generic_after<F: Future>(future: F) {
    future.await;
    wait().await;
}

#[volt::state_machine(native)]
async fn awaits_generic<F: Future>(future: F) {
    generic_after(future).await;
}

/// A generic machine in another one is in the tree, at each of its awaits.
#[test]
fn generic_machine_shows_a_generic_machine() {
    let outer = ["AwaitsGeneric at await generic_after"];
    let ends = [
        "Wait at await pending",
        "core::future::pending::Pending<()>",
    ];
    let first = [&outer[..], &["GenericAfter at await future"], &ends].concat();
    let second = [&outer[..], &["GenericAfter at await wait"], &ends].concat();
    for _ in 0..2 {
        assert_eq!(tree_after(1, awaits_generic(wait())), first);
        assert_eq!(tree_after(2, awaits_generic(yield_now())), second);
    }
}
