#[volt::state_machine]
async fn first(value: Option<String>) -> usize {
    match value {
        Some(text) => {
            tick().await;
            text.len()
        }
        None => 0,
    }
}

fn main() {
    let _ = first(None);
}

async fn tick() {}
