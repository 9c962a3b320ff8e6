//! The trees of explicit machines that await a box of a `dyn Future` in a local.

mod polled_trees;

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::task::{Context, Poll};

use polled_trees::{run, run_with, turns};

type DynFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

#[volt::state_machine(explicit)]
async fn length(text: String) -> usize {
    turns(1).await;
    text.len()
}

#[volt::state_machine(explicit)]
async fn boxed(text: String) -> usize {
    let copy = text.clone();
    let read: DynFuture<'_, usize> = Box::pin(length(text));
    read.await + copy.len()
}

#[test]
fn content_of_a_box_is_walked() {
    let (trees, output) = run(boxed("text".to_owned()));
    let tree = [
        "Boxed at await read",
        "Length at await turns",
        "Turns at await yield_now",
    ];
    assert_eq!(trees, [tree]);
    assert_eq!(output, 8);
}

#[volt::state_machine(explicit)]
async fn in_a_loop() -> u32 {
    let mut sum = 0;
    for count in 1..3 {
        let turn: DynFuture<'_, u32> = Box::pin(turns(count));
        sum += turn.await;
        let turn: Pin<Box<dyn Future<Output = u32> + Send>> = Box::pin(ready(10));
        sum += turn.await;
    }
    sum
}

#[test]
fn box_of_each_iteration_is_walked() {
    let (trees, output) = run(in_a_loop());
    let tree = ["InALoop at await turn", "Turns at await yield_now"];
    assert_eq!(trees, [tree; 3]);
    assert_eq!(output, 1 + 10 + 2 + 10);
}

/// Pending once, and inspected by no implementation.
struct Once(bool);

impl Future for Once {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        cx.waker().wake_by_ref();
        if std::mem::replace(&mut self.0, true) {
            Poll::Ready(1)
        } else {
            Poll::Pending
        }
    }
}

#[volt::state_machine(explicit)]
async fn not_followed(is_short: bool) -> u32 {
    let branch: DynFuture<'_, u32> = if is_short {
        Box::pin(turns(1))
    } else {
        Box::pin(Once(false))
    };
    let mut sum = branch.await;
    let mut assigned: DynFuture<'_, u32> = Box::pin(turns(1));
    drop(assigned);
    assigned = Box::pin(Once(false));
    sum += assigned.await;
    let shadowed: DynFuture<'_, u32> = Box::pin(turns(1));
    let shadowed: DynFuture<'_, u32> = replaced(shadowed);
    sum + shadowed.await
}

fn replaced(_: DynFuture<'_, u32>) -> DynFuture<'static, u32> {
    Box::pin(Once(false))
}

#[test]
fn box_of_an_unknown_type_ends_the_tree() {
    for is_short in [true, false] {
        let (trees, output) = run(not_followed(is_short));
        let awaited = ["branch", "assigned", "shadowed"];
        let names = awaited.map(|name| format!("NotFollowed at await {name}"));
        assert_eq!(trees.len(), names.len());
        for (tree, name) in trees.iter().zip(&names) {
            assert!(tree[0].starts_with(name), "{tree:?}");
        }
        assert!(trees.iter().all(|tree| tree.len() == 1), "{trees:?}");
        assert_eq!(output, 3);
        let (trees, _) = run_with("Turns", not_followed(is_short));
        assert!(trees.concat().is_empty(), "{trees:?}");
    }
}

#[volt::state_machine(explicit)]
async fn of_another_crate() -> u32 {
    let once: Pin<Box<dyn Future<Output = u32> + Send>> = Box::pin(Once(false));
    once.await
}

#[test]
fn content_without_inspection_has_a_name() {
    let (trees, output) = run_with("trees_of_boxes::Once", of_another_crate());
    assert_eq!(trees[0].len(), 1, "{trees:?}");
    assert_eq!(output, 1);
}

mod own_box {
    use super::{Ready, ready};

    /// A type with the name of that in std.
    pub(super) struct Box;

    impl Box {
        pub(super) fn pin(value: u32) -> Ready<u32> {
            ready(value)
        }
    }
}

#[volt::state_machine(explicit)]
async fn in_own_box() -> u32 {
    use own_box::Box;
    let value: Ready<u32> = Box::pin(3);
    value.await
}

#[test]
fn other_type_of_the_name_is_accepted() {
    assert_eq!(run(in_own_box()).1, 3);
}
