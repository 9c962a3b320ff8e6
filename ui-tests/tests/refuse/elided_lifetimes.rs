//! An error of a borrow names no lifetime that the user did not write, and suggests the missing
//! one.

use std::future::Future;

fn spawn<F: Future + Send + 'static>(_: F) {}

async fn pause() {}

#[volt::state_machine]
async fn pushed<'a>(list: &mut Vec<&'a str>, text: &str) -> usize {
    list.push(text);
    pause().await;
    list.len()
}

#[volt::state_machine]
async fn returned<'a>(first: &'a str, second: &str) -> &'a str {
    pause().await;
    if first.is_empty() { second } else { first }
}

#[volt::state_machine]
async fn spawned(text: &str) {
    spawn(async move { println!("{text}") });
    pause().await;
}

#[volt::state_machine(native)]
async fn spawned_natively(text: &str) {
    spawn(async move { println!("{text}") });
    pause().await;
}

struct Page(String);

#[volt::state_machine]
impl Page {
    async fn of_a_method<'a>(&self, first: &'a str, second: &str) -> &'a str {
        pause().await;
        if self.0.is_empty() { second } else { first }
    }
}

fn main() {}
