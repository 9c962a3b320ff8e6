use std::future::{Ready, ready};

#[volt::state_machine(explicit)]
async fn silent_guard(first: Ready<u8>) -> u8 {
    let _guard = guard();
    first.await
}

fn guard() -> String {
    String::from("dropped at the end")
}

fn main() {
    let mut machine = std::pin::pin!(silent_guard(ready(1)));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
}
