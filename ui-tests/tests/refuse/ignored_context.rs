use std::future::poll_fn;
use std::task::Poll;

#[volt::state_machine(explicit)]
async fn forever() {
    poll_fn(|_| Poll::Pending).await
}

fn main() {
    let _ = forever();
}
