#[volt::state_machine(explicit)]
async fn printed(id: u32) {
    println!("{}", load(id).await);
}

fn main() {
    let _ = printed(1);
}

async fn load(id: u32) -> u32 {
    id
}
