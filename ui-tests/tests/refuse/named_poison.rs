#[volt::state_machine(explicit)]
async fn labelled() {
    #[state(Done)]
    tick().await;
}

fn main() {
    let _ = labelled();
}

async fn tick() {}
