use std::future::{Ready, ready};

#[volt::state_machine]
async fn untyped_error(result: Result<u8, String>, delay: Ready<()>) -> u8 {
    match result {
        Ok(n) => n,
        Err(error) => {
            eprintln!("{error}");
            delay.await;
            0
        }
    }
}

fn main() {
    let mut machine = std::pin::pin!(untyped_error(Err(String::new()), ready(())));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
}
