#[volt::state_machine(explicit)]
async fn inside() -> u32 {
    struct Local(u32);
    let one: Local = Local(1);
    volt::task::yield_now().await;
    one.0
}

fn main() {
    drop(inside());
}
