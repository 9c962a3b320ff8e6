#[volt::state_machine]
async fn both(a: bool) -> u32 {
    if a && ready().await { 1 } else { 2 }
}

fn main() {
    let _ = both(true);
}

async fn ready() -> bool {
    true
}
