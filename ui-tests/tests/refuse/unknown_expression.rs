#[volt::state_machine]
async fn through_unsafe(id: u32) -> u32 {
    #[allow(unused_unsafe, reason = "an await in an expression of a rare kind")]
    unsafe { load(id).await }
}

fn main() {
    let _ = through_unsafe(1);
}

async fn load(id: u32) -> u32 {
    id
}
