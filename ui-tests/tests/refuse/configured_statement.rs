#[volt::state_machine(explicit)]
async fn maybe(id: u32) -> u32 {
    #[cfg(unix)]
    tick().await;
    id
}

fn main() {
    let _ = maybe(1);
}

async fn tick() {}
