use volt::task::yield_now;

/// Has a destructor, so that it matters when it is made.
struct Loud;

impl Drop for Loud {
    fn drop(&mut self) {
        println!("loud");
    }
}

const LOUD: Loud = Loud;

fn pair(_: Loud, b: u32) -> u32 {
    b
}

#[volt::state_machine(explicit)]
async fn next(n: u32) -> u32 {
    yield_now().await;
    n
}

#[volt::state_machine(explicit)]
async fn constant() -> u32 {
    pair(LOUD, next(1).await)
}

#[volt::state_machine(explicit)]
async fn unit() -> u32 {
    pair(Loud, next(1).await)
}

fn main() {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = std::pin::pin!(constant()).poll(&mut cx);
    let _ = std::pin::pin!(unit()).poll(&mut cx);
}
