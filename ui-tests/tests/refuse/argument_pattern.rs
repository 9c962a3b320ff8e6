#[volt::state_machine]
async fn sum((a, b): (u32, u32)) -> u32 {
    a + b
}

fn main() {
    let _ = sum((1, 2));
}
