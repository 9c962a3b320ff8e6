use std::future::{Ready, ready};

struct Guard(Option<u32>);

impl Drop for Guard {
    fn drop(&mut self) {}
}

impl Guard {
    fn take(&self) -> Option<u32> {
        self.0
    }
}

fn guard() -> Guard {
    Guard(None)
}

#[volt::state_machine(explicit)]
async fn looked_at(delay: Ready<()>) -> u32 {
    match guard().take() {
        Some(n) => n,
        None => {
            delay.await;
            0
        }
    }
}

#[volt::state_machine(explicit)]
async fn given() -> u32 {
    number(matches!(guard().take(), Some(1)) as u32).await
}

#[volt::state_machine(explicit)]
async fn number(n: u32) -> u32 {
    n
}

fn main() {
    let mut machine = std::pin::pin!(looked_at(ready(())));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = machine.as_mut().poll(&mut cx);
    let mut machine = std::pin::pin!(given());
    let _ = machine.as_mut().poll(&mut cx);
}
