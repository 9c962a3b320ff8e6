//! Recursion through functions of the project that erase the type of a future. Only a machine that
//! keeps the type in its box is `Send`, as with plain functions.

use std::pin::Pin;
use std::sync::Arc;

use super::boxes::{self, InBox as _, Local};
use crate::{run, turn};

#[volt::state_machine]
async fn by_function(depth: u32) -> u32 {
    turn().await;
    match depth {
        0 => 0,
        _ => 1 + boxes::erase(by_function(depth - 1)).await,
    }
}

#[volt::state_machine]
async fn by_alias(depth: u32) -> u32 {
    match depth {
        0 => 0,
        _ => 1 + boxes::erase_by_alias(async move { by_alias(depth - 1).await }).await,
    }
}

#[volt::state_machine]
async fn by_type(depth: u32) -> u32 {
    match depth {
        0 => 0,
        _ => 1 + boxes::Later::of(by_type(depth - 1)).await,
    }
}

#[volt::state_machine]
async fn up(depth: u32) -> u32 {
    match depth {
        0 => 0,
        _ => 1 + down(depth - 1).in_box().await,
    }
}

#[volt::state_machine]
async fn down(depth: u32) -> u32 {
    match depth {
        0 => 0,
        _ => 1 + up(depth - 1).in_box().await,
    }
}

struct Node(u32);

#[volt::state_machine]
impl Node {
    async fn erased(&self, depth: u32) -> u32 {
        match depth {
            0 => self.0,
            _ => 1 + boxes::erase(self.erased(depth - 1)).await,
        }
    }

    async fn kept(self: Arc<Self>, depth: u32) -> u32 {
        match depth {
            0 => self.0,
            _ => 1 + boxes::keep(self.clone().kept(depth - 1)).await,
        }
    }
}

#[volt::state_machine]
async fn kept(depth: u32) -> u32 {
    match depth {
        0 => 0,
        _ => 1 + boxes::keep(kept(depth - 1)).await,
    }
}

type Stays<'a> = Pin<Box<dyn Future<Output = u32> + 'a>>;

#[volt::state_machine]
async fn sum_of_aliases(depth: u32) -> u32 {
    let loads: Vec<Stays<'_>> = vec![Box::pin(by_function(depth)), Box::pin(by_type(depth))];
    let mut sum = 0;
    for load in loads {
        sum += load.await;
    }
    sum
}

#[volt::state_machine]
async fn by_imported_alias(depth: u32) -> u32 {
    let load: Local<'_, u32> = Box::pin(by_function(depth));
    load.await
}

#[test]
fn boxes_by_alias_compile_without_an_option() {
    assert_eq!(run(sum_of_aliases(2)), 4);
    assert_eq!(run(by_imported_alias(2)), 2);
}

#[test]
fn erased_recursion_compiles_without_an_option() {
    assert_eq!(run(by_function(3)), 3);
    assert_eq!(run(by_alias(3)), 3);
    assert_eq!(run(by_type(3)), 3);
    assert_eq!(run(up(3)), 3);
    assert_eq!(run(Node(1).erased(3)), 4);
}

#[test]
fn recursion_with_a_kept_type_is_send() {
    fn send<F: Future + Send>(future: F) -> F {
        future
    }
    assert_eq!(run(send(kept(3))), 3);
    assert_eq!(run(send(Arc::new(Node(1)).kept(3))), 4);
}
