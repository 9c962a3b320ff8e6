//! Lints of the function and of its body, denied: each is raised once, as of the plain function.
#![deny(missing_docs, dead_code, non_snake_case, unused_variables, unused_must_use)]
#![deny(unused_mut, unreachable_code)]

use std::future::ready;

#[volt::state_machine]
pub async fn undocumented() -> u32 {
    ready(3).await
}

#[volt::state_machine(native)]
pub async fn undocumented_and_native() -> u32 {
    ready(3).await
}

#[allow(missing_docs, reason = "another lint is the subject")]
#[volt::state_machine]
pub async fn allowed() -> u32 {
    ready(3).await
}

#[volt::state_machine]
async fn dead() {}

#[allow(missing_docs, reason = "another lint is the subject")]
#[volt::state_machine]
pub async fn Upper(Argument: u32) -> u32 {
    ready(Argument).await
}

#[allow(missing_docs, reason = "another lint is the subject")]
#[must_use]
#[volt::state_machine]
pub async fn number(unused: u32) -> u32 {
    let mut unchanged = 3;
    return ready(unchanged).await;
    4
}

fn main() {
    number(1);
}
