use std::future::{Ready, ready};

#[volt::state_machine(explicit)]
async fn mistyped(first: Ready<u8>) -> u32 {
    let n: u32 = first.await;
    n
}

fn main() {
    let _ = mistyped(ready(1));
}
