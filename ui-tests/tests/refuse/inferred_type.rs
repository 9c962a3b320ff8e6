#[volt::state_machine(explicit)]
async fn collect(id: u32) -> usize {
    let ids: Vec<_> = (0..id).collect();
    tick().await;
    ids.len()
}

fn main() {
    let _ = collect(1);
}

async fn tick() {}
