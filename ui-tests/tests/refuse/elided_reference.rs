#[volt::state_machine(explicit)]
async fn borrowed(text: String) -> usize {
    let part: &str = &text[1..];
    tick().await;
    part.len()
}

fn main() {
    let _ = borrowed(String::new());
}

async fn tick() {}
