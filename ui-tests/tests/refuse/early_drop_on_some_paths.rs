use std::future::{Ready, ready};

enum Held {
    Number(u8),
    Text(String),
}

fn look(_: &Held) {}

#[volt::state_machine(explicit)]
async fn used_where_it_was_copied_from(held: Held, early: bool, delay: Ready<()>) {
    if early {
        match held {
            Held::Number(n) => {
                look(&held);
                assert!(n > 0);
            }
            Held::Text(text) => drop(text),
        }
    }
    delay.await;
}

fn main() {
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let held = Held::Text(String::new());
    let machine = used_where_it_was_copied_from(held, true, ready(()));
    let _ = std::pin::pin!(machine).as_mut().poll(&mut cx);
    let _ = Held::Number(1);
}
