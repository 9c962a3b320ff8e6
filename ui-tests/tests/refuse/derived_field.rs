use std::time::Duration;

struct Plain;

#[volt::state_machine(explicit, derive(Clone))]
async fn pause(plain: Plain) {
    volt::time::sleep(Duration::ZERO).await;
    drop(plain);
}

#[volt::state_machine(explicit, derive(PartialEq, Eq))]
async fn weigh(weight: f64) -> f64 {
    volt::task::yield_now().await;
    weight
}

fn main() {
    drop(pause(Plain));
    drop(weigh(1.0));
}
