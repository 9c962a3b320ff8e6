//! The trees of explicit machines that await a future with a closure in it.

mod polled_trees;

use polled_trees::{run, turns};
use volt::future::{FutureExt, join_all};

#[volt::state_machine(explicit)]
async fn mapped(count: u32) -> u32 {
    turns(count).map(|count| count + 1).await
}

#[test]
fn tree_continues_through_a_closure() {
    let (trees, output) = run(mapped(2));
    let tree = ["Mapped at await map", "Turns at await yield_now"];
    assert_eq!(trees, [tree, tree]);
    assert_eq!(output, 3);
}

#[volt::state_machine(explicit)]
async fn captured(count: u32) -> usize {
    let text = "a".repeat(100);
    turns(count).map(move |_| text.len()).await
}

#[test]
fn captured_values_are_kept() {
    let (trees, output) = run(captured(2));
    assert_eq!(trees[1].last().unwrap(), "Turns at await yield_now");
    assert_eq!(output, 100);
}

#[volt::state_machine(explicit)]
async fn in_local() -> u32 {
    let turned = turns(2).map(|count| count * 10);
    join_all([turned]).await[0]
}

#[test]
fn local_with_a_closure_is_walked() {
    let (trees, output) = run(in_local());
    let tree = ["InLocal at await join_all", "Turns at await yield_now"];
    assert_eq!(trees, [tree, tree]);
    assert_eq!(output, 20);
}

/// Only a machine awaits it, so it is polled without registration, and its closure has another type
/// then.
#[volt::state_machine(explicit)]
async fn doubled(count: u32) -> u32 {
    turns(count).map(|count| count * 2).await
}

#[volt::state_machine(explicit)]
async fn nested(count: u32) -> u32 {
    let product = doubled(count).await;
    doubled(product).await
}

#[test]
fn machine_in_a_machine_is_walked() {
    let (trees, output) = run(nested(1));
    let tree = [
        "Nested at await doubled",
        "Doubled at await map",
        "Turns at await yield_now",
    ];
    assert_eq!(trees, [tree; 3]);
    assert_eq!(output, 4);
}

/// With five states or more, a poll finds its block by a jump table.
#[volt::state_machine(explicit)]
async fn five_awaits() -> u32 {
    let mut sum = turns(1).map(|count| count + 1).await;
    sum += turns(1).await;
    sum += turns(1).map(|count| count + 5).map(|count| count + 5).await;
    sum += mapped(1).await;
    sum + turns(1).map(|count| count + 100).await
}

#[test]
fn each_await_has_its_own_type() {
    let (trees, output) = run(five_awaits());
    let innermost = trees.iter().map(|tree| tree.last().unwrap().as_str());
    assert!(innermost.eq(["Turns at await yield_now"; 5]), "{trees:?}");
    assert_eq!(output, 2 + 1 + 11 + 2 + 101);
}

#[volt::state_machine(explicit)]
async fn borrowed(text: &str) -> usize {
    turns(1).map(move |_| text.len()).await
}

#[test]
fn closure_with_a_lifetime_is_walked() {
    let text = "text".to_owned();
    let (trees, output) = run(borrowed(&text));
    assert_eq!(
        trees,
        [["Borrowed at await map", "Turns at await yield_now"]]
    );
    assert_eq!(output, 4);
}

#[test]
fn ended_machine_has_no_await() {
    let (trees, output) = run(mapped(0));
    assert!(trees.is_empty(), "{trees:?}");
    assert_eq!(output, 1);
}
