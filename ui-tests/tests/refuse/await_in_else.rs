#[volt::state_machine]
async fn give_up(value: Option<u32>) -> u32 {
    let Some(n) = value else {
        return load(0).await;
    };
    n
}

fn main() {
    let _ = give_up(None);
}

async fn load(id: u32) -> u32 {
    id
}
