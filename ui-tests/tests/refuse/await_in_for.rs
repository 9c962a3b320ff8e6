#[volt::state_machine]
async fn each(ids: Vec<u32>) {
    for id in ids {
        load(id).await;
    }
}

fn main() {
    let _ = each(vec![]);
}

async fn load(id: u32) -> u32 {
    id
}
