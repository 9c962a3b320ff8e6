use std::future::{Ready, ready};

enum Answer {
    Number(u8),
    Error(String),
}

#[volt::state_machine(explicit)]
async fn untyped_error(answer: Answer, delay: Ready<()>) -> u8 {
    match answer {
        Answer::Number(n) => n,
        Answer::Error(error) => {
            eprintln!("{error}");
            delay.await;
            0
        }
    }
}

fn main() {
    let _ = untyped_error(Answer::Number(1), ready(()));
    let answer = Answer::Error(String::new());
    let mut machine = std::pin::pin!(untyped_error(answer, ready(())));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
}
