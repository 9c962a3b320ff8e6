#[volt::state_machine(explicit)]
async fn guarded(id: u32) -> u32 {
    match id {
        n if allowed(n).await => n,
        _ => 0,
    }
}

fn main() {
    let _ = guarded(1);
}

async fn allowed(id: u32) -> bool {
    id > 0
}
