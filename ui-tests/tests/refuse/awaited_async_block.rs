#[volt::state_machine(explicit)]
async fn block(id: u32) -> u32 {
    async { id }.await
}

#[volt::state_machine(explicit)]
async fn operands(id: u32) -> u32 {
    volt::future::race(async { id }, async { id + 1 }).await
}

fn main() {
    let _ = block(1);
    let _ = operands(1);
}
