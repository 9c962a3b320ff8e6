//! An argument that escapes from a native machine has no lifetime of the macro.

use std::future::{Future, ready};

fn spawn<W: Future + Send + 'static>(_: W) {}

#[volt::state_machine(native)]
async fn spawned_block(text: &str) -> u32 {
    spawn(async move {
        println!("{}", text);
    });
    ready(1).await
}

fn main() {}
