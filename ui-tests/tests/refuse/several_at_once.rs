#[volt::state_machine(explicit)]
async fn three(id: u32) -> u32 {
    let base = offset(id);
    tick().await;
    println!("{}", load(id).await);
    async { id }.await;
    for _ in 0..base {
        tick().await;
    }
    base
}

fn main() {
    let _: u64 = 1;
    let _ = three(1);
}

async fn tick() {}

async fn load(id: u32) -> u32 {
    id
}

fn offset(id: u32) -> u32 {
    id
}
