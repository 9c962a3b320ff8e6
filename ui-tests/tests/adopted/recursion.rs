//! As people write recursion: the box with its bounds, by a cast and by a type.

use std::pin::Pin;

use crate::{run, turn};

#[volt::state_machine(native)]
async fn walk(depth: u32) -> u32 {
    turn().await;
    match depth {
        0 => 0,
        _ => 1 + Box::pin(walk(depth - 1)).await,
    }
}

#[volt::state_machine(native)]
async fn by_a_cast(depth: u32) -> u32 {
    turn().await;
    match depth {
        0 => 0,
        _ => {
            1 + (Box::pin(by_a_cast(depth - 1)) as Pin<Box<dyn Future<Output = u32> + Send>>).await
        }
    }
}

#[volt::state_machine(native)]
async fn by_a_local(text: &str) -> usize {
    if text.is_empty() {
        return 0;
    }
    let below: Pin<Box<dyn Future<Output = usize> + Send + '_>> = Box::pin(by_a_local(&text[1..]));
    turn().await;
    1 + below.await
}

#[volt::state_machine(native)]
async fn even(number: u32) -> bool {
    turn().await;
    match number {
        0 => true,
        _ => (Box::pin(odd(number - 1)) as Pin<Box<dyn Future<Output = bool> + Send>>).await,
    }
}

#[volt::state_machine(native)]
async fn odd(number: u32) -> bool {
    turn().await;
    match number {
        0 => false,
        _ => (Box::pin(even(number - 1)) as Pin<Box<dyn Future<Output = bool> + Send>>).await,
    }
}

#[volt::state_machine]
async fn without_a_word(number: u32) -> u32 {
    let below: Pin<Box<dyn Future<Output = u32> + Send>> = match number {
        0 => Box::pin(async { 0 }),
        _ => Box::pin(without_a_word(number - 1)),
    };
    walk(1).await;
    below.await + 1
}

/// The box has no `Send` bound, and so is not `Send`.
#[volt::state_machine(native)]
async fn on_its_thread(depth: u32) -> u32 {
    if depth == 0 {
        return 0;
    }
    let below: Pin<Box<dyn Future<Output = u32>>> = Box::pin(on_its_thread(depth - 1));
    turn().await;
    below.await + 1
}

struct Tree(Vec<Tree>);

#[volt::state_machine(native)]
impl Tree {
    async fn count(&self) -> usize {
        let mut count = 1;
        for child in &self.0 {
            count +=
                (Box::pin(child.count()) as Pin<Box<dyn Future<Output = usize> + Send + '_>>).await;
        }
        turn().await;
        count
    }
}

#[test]
fn self_boxing_machine_compiles() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    assert_eq!(run(is_send(walk(3))), 3);
    assert_eq!(run(is_send(by_a_cast(3))), 3);
    assert_eq!(run(is_send(by_a_local("four"))), 4);
    assert!(run(is_send(even(4))) && !run(odd(4)));
    assert_eq!(run(is_send(without_a_word(2))), 3);
    assert_eq!(run(on_its_thread(3)), 3);
    let tree = Tree(vec![Tree(vec![]), Tree(vec![Tree(vec![])])]);
    assert_eq!(run(is_send(tree.count())), 4);
}
