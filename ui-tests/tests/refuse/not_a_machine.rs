async fn native() {}

#[volt::state_machine]
async fn caller() {
    native().await;
}

fn main() {
    let _ = caller();
}
