#[volt::state_machine(explicit)]
async fn sum(id: u32) -> u32 {
    let base = offset(id);
    tick().await;
    base + id
}

fn main() {
    let _ = sum(1);
}

async fn tick() {}

fn offset(id: u32) -> u32 {
    id
}
