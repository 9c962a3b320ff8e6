//! Values of wrong types where the compiler describes them by other words in an `async fn`: one
//! error each, as of the plain function.

use std::future::{Future, ready};

fn number(n: u32) -> Result<u32, String> {
    Ok(n)
}

fn run(_: impl Future) {}

async fn later(n: u32) -> u32 {
    ready(n).await
}

#[volt::state_machine]
async fn propagates_in_a_block(n: u32) -> u32 {
    ready(()).await;
    run(async move {
        let number = number(n)?;
        number + 1
    });
    ready(n).await
}

#[volt::state_machine]
async fn propagates_in_a_closure(n: u32) -> u32 {
    ready(()).await;
    let sum: u32 = (0..n).map(|n| number(n)? + 1).sum();
    ready(sum).await
}

#[volt::state_machine]
async fn forgets_to_await(n: u32) -> u32 {
    let number: u32 = later(n);
    ready(()).await;
    number
}

#[volt::state_machine]
async fn breaks_with_a_text(n: u32) -> u32 {
    loop {
        if ready(n).await > 1 {
            break "one";
        }
    }
}

#[volt::state_machine]
async fn ends_an_else_block(n: Option<u32>) -> u32 {
    let Some(n) = n else {
        ready(()).await;
        "none"
    };
    n
}

fn main() {}
