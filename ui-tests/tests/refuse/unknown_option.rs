#[volt::state_machine(explicit, size = 3)]
async fn idle() {}

fn main() {
    let _ = idle();
}
