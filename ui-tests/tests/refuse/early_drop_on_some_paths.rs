use std::future::{Ready, ready};

#[volt::state_machine]
async fn behind_a_condition(held: Option<String>, early: bool, delay: Ready<()>) {
    if early && let Some(text) = held {
        drop(text);
    }
    delay.await;
}

#[volt::state_machine]
async fn declared_later(early: bool, delay: Ready<()>) -> usize {
    let held: Option<Vec<u8>>;
    held = Some(Vec::new());
    if early {
        let Some(bytes) = held else { return 0 };
        drop(bytes);
    }
    delay.await;
    1
}

fn main() {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let mut machine = std::pin::pin!(behind_a_condition(None, true, ready(())));
    let _ = machine.as_mut().poll(&mut cx);
    let mut machine = std::pin::pin!(declared_later(true, ready(())));
    let _ = machine.as_mut().poll(&mut cx);
}
