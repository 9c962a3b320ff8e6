#[volt::state_machine(explicit)]
async fn maybe(id: u32, #[cfg(windows)] handle: u32) -> u32 {
    volt::task::yield_now().await;
    id
}

fn main() {
    let _ = maybe(1);
}
