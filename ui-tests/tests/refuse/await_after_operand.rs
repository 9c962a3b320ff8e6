#[volt::state_machine]
async fn sum(id: u32) -> u32 {
    combine(id, load(id).await) + load(2).await
}

fn main() {
    let _ = sum(1);
}

async fn load(id: u32) -> u32 {
    id
}

fn combine(a: u32, b: u32) -> u32 {
    a + b
}
