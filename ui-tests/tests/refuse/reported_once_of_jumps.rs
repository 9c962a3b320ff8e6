//! Jumps that lead nowhere, or carry a value to a loop that has none: one error each, as of the
//! plain function.

use std::future::ready;

#[volt::state_machine]
async fn break_of_for_has_a_value() -> u32 {
    for _ in 0..3 {
        ready(()).await;
        break 3;
    }
    4
}

#[volt::state_machine]
async fn break_of_while_has_a_value() -> u32 {
    while ready(true).await {
        break 3;
    }
    4
}

#[volt::state_machine]
async fn break_by_label_has_a_value() -> u32 {
    'outer: for _ in 0..3 {
        loop {
            ready(()).await;
            break 'outer 3;
        }
    }
    4
}

#[volt::state_machine]
async fn continue_of_a_block() -> u32 {
    'block: {
        ready(()).await;
        continue 'block;
    }
    4
}

#[volt::state_machine]
async fn break_out_of_an_async_block() -> u32 {
    loop {
        ready(()).await;
        async { break }.await;
    }
}

fn main() {}
