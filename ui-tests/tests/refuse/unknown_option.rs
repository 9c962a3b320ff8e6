#[volt::state_machine(size = 3)]
async fn idle() {}

fn main() {
    let _ = idle();
}
