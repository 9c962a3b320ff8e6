use std::future::{Ready, ready};

#[volt::state_machine(explicit)]
async fn borrows(first: Ready<u8>) -> u8 {
    let text = &String::from("dropped at the end");
    println!("{text}");
    first.await
}

fn main() {
    let mut machine = std::pin::pin!(borrows(ready(1)));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
}
