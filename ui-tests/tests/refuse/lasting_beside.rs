use std::future::{Ready, ready};

macro_rules! guards {
    ($($Guard:ident),*) => {
        $(
            struct $Guard(u32);

            impl Drop for $Guard {
                fn drop(&mut self) {}
            }

            impl $Guard {
                fn number(&self) -> u32 {
                    self.0
                }
            }
        )*
    };
}

guards!(Behind, Before, Within);

#[volt::state_machine(explicit)]
async fn behind_an_await(delay: Ready<Behind>) -> u32 {
    add(delay.await.number(), "").await
}

#[volt::state_machine(explicit)]
async fn before_a_text() -> u32 {
    add(Before(2).number(), &format!("{}", 3)).await
}

#[volt::state_machine(explicit)]
async fn in_a_text() -> u32 {
    add(1, &Within(3).number().to_string()).await
}

#[volt::state_machine(explicit)]
async fn add(n: u32, text: &str) -> u32 {
    std::future::poll_fn(|cx| {
        cx.waker().wake_by_ref();
        std::task::Poll::Ready(n + text.len() as u32)
    })
    .await
}

fn main() {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let _ = std::pin::pin!(behind_an_await(ready(Behind(1)))).as_mut().poll(&mut cx);
    let _ = std::pin::pin!(before_a_text()).as_mut().poll(&mut cx);
    let _ = std::pin::pin!(in_a_text()).as_mut().poll(&mut cx);
}
