use std::future::{Ready, ready};

#[volt::state_machine(explicit)]
async fn left_behind(text: &str, delay: Ready<()>) -> u8 {
    match text.parse::<u8>().map_err(|_| String::from("no number")) {
        Ok(n) => n,
        Err(_) => {
            delay.await;
            0
        }
    }
}

fn main() {
    let mut machine = std::pin::pin!(left_behind("", ready(())));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
}
