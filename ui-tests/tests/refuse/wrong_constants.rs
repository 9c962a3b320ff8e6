//! An assertion in the body, without a name, fails once.

async fn load(number: u32) -> u32 {
    number
}

#[volt::state_machine]
async fn failed_assertion(number: u32) -> u32 {
    const LIMIT: u32 = 8;
    const _: () = assert!(LIMIT < 8);
    load(number).await + LIMIT
}

fn main() {}
