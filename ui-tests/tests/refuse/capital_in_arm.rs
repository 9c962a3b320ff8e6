#[volt::state_machine(explicit)]
async fn wait(name: &str) {
    match name.to_owned() {
        Name => tick().await,
    }
}

#[volt::state_machine(explicit)]
async fn tick() {}

fn main() {
    let _ = wait("name");
}
