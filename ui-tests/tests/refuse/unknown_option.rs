#[volt::state_machine(explicit, size = 3)]
async fn idle() {}

#[volt::state_machine(explicit, send, explicit)]
async fn twice() {}

fn main() {
    let _ = idle();
    let _ = twice();
}
