#[volt::state_machine]
async fn block(id: u32) -> u32 {
    async { id }.await
}

fn main() {
    let _ = block(1);
}
