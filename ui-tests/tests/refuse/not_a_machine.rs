async fn native() {}

#[volt::state_machine(explicit)]
async fn caller() {
    native().await;
}

fn main() {
    let _ = caller();
}
