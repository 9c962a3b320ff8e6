//! Machines of each layout, inspected with values between all polls.
//!
//! Miri runs these tests, under both models of aliasing. Each machine has a local that borrows from
//! another one, and is run to its end, and dropped after each number of polls.

#[path = "pinned/pause.rs"]
mod pause;

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use volt::machine::StateMachine;
use volt_inspect::{Inspector, TreeWriter};

use self::pause::{Pause, poll_once};

#[volt::state_machine(explicit)]
async fn explicit(number: u32) -> u32 {
    let text = number.to_string();
    let mut page = vec![number; 3];
    Pause::default().await;
    page.push(text.len() as u32);
    explicit_leaf(&mut page).await;
    Pause::default().await;
    page.iter().sum()
}

#[volt::state_machine(explicit)]
async fn explicit_leaf(page: &mut Vec<u32>) {
    let last = page.pop();
    Pause::default().await;
    page.extend(last);
    Pause::default().await;
}

#[volt::state_machine(native)]
async fn native(number: u32) -> u32 {
    let text = number.to_string();
    let borrowed: &str = &text;
    let mut page = vec![number; 3];
    Pause::default().await;
    page.push(borrowed.len() as u32);
    native_leaf(&mut page).await;
    explicit_leaf(&mut page).await;
    page.iter().sum()
}

#[volt::state_machine(native)]
async fn native_leaf(page: &mut Vec<u32>) {
    let last = page.last_mut();
    Pause::default().await;
    if let Some(last) = last {
        *last += 1;
    }
    Pause::default().await;
}

#[volt::state_machine(native)]
async fn generic<A: AsRef<str>>(text: A) -> u32 {
    let borrowed: &str = text.as_ref();
    let mut page = vec![borrowed.len() as u32];
    Pause::default().await;
    native_leaf(&mut page).await;
    page[0] + borrowed.len() as u32
}

#[volt::state_machine(native, trace = false)]
async fn untraced(number: u32) -> u32 {
    let text = number.to_string();
    let borrowed: &str = &text;
    Pause::default().await;
    number + borrowed.len() as u32
}

#[volt::state_machine(explicit)]
async fn of_all(number: u32) -> u32 {
    let mut boxed = Box::pin(generic("three".to_owned()));
    poll_once(boxed.as_mut()).await;
    let first = explicit(number).await;
    let second = native(number).await;
    let third = boxed.await;
    first + second + third + untraced(number).await
}

fn tree<M: StateMachine>(machine: Pin<&mut M>) -> String {
    let mut tree = TreeWriter::new(String::new()).with_values();
    machine.inspect_machine(&mut Inspector::new(&mut tree));
    tree.into_inner()
}

/// Polls a machine until it is ready, or as often as `polls` states. Returns the output, and the
/// trees after the polls.
fn run<M: StateMachine + Future>(machine: M, polls: usize) -> (Option<M::Output>, Vec<String>) {
    let mut machine = pin!(machine);
    let cx = &mut Context::from_waker(Waker::noop());
    let mut trees = vec![tree(machine.as_mut())];
    for _ in 0..polls {
        if let Poll::Ready(output) = machine.as_mut().poll(cx) {
            return (Some(output), trees);
        }
        let (first, second) = (tree(machine.as_mut()), tree(machine.as_mut()));
        assert_eq!(first, second);
        machine.trace(&mut |state| assert!(first.contains(state.machine), "{first}"));
        trees.push(first);
    }
    (None, trees)
}

/// Runs machines to their ends, and drops others after each smaller number of polls. Returns the
/// output, and the trees of the run to the end.
fn run_and_drop<M>(machine: impl Fn() -> M) -> (M::Output, Vec<String>)
where
    M: StateMachine + Future,
{
    let (output, trees) = run(machine(), usize::MAX);
    for polls in 0..trees.len() {
        let (dropped, fewer) = run(machine(), polls);
        assert!(dropped.is_none());
        assert_eq!(fewer, trees[..=polls]);
    }
    (output.expect("the machine ends"), trees)
}

#[test]
fn explicit_machine_continues_after_inspections() {
    let (output, trees) = run_and_drop(|| explicit(7));
    assert_eq!((output, trees.len()), (22, 5));
    assert!(trees[1].contains("text: \"7\""), "{}", trees[1]);
    assert!(trees[2].contains("last: Some(1)"), "{}", trees[2]);
}

#[test]
fn native_machine_continues_after_inspections() {
    let (output, trees) = run_and_drop(|| native(7));
    assert_eq!((output, trees.len()), (23, 6));
    assert!(trees[2].contains("NativeLeaf at await"), "{}", trees[2]);
    assert!(trees[4].contains("ExplicitLeaf at await"), "{}", trees[4]);
}

#[test]
fn generic_machine_continues_after_inspections() {
    let (output, trees) = run_and_drop(|| generic("three".to_owned()));
    assert_eq!((output, trees.len()), (11, 4));
    assert!(trees[2].contains("NativeLeaf at await"), "{}", trees[2]);
}

#[test]
fn untraced_machine_continues_after_inspections() {
    let (output, trees) = run_and_drop(|| untraced(7));
    assert_eq!((output, trees.len()), (8, 2));
}

#[test]
fn machine_of_all_layouts_continues_after_inspections() {
    let (output, trees) = run_and_drop(|| of_all(7));
    assert_eq!((output, trees.len()), (22 + 23 + 11 + 8, 13));
    let is_dormant = |tree: &&String| tree.contains("[boxed] Generic at await");
    assert_eq!(trees.iter().filter(is_dormant).count(), 9, "{trees:#?}");
}
