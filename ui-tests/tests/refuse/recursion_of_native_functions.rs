//! Native functions that await each other: a circle of the compiler's own questions, which it shows at the two names.

#[volt::state_machine(native)]
async fn ping(turns: u32) -> u32 {
    match turns {
        0 => 0,
        _ => pong(turns - 1).await,
    }
}

#[volt::state_machine(native)]
async fn pong(turns: u32) -> u32 {
    match turns {
        0 => 0,
        _ => ping(turns - 1).await,
    }
}

fn main() {}
