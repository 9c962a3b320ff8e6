//! The option `deny(dormant)` accepts futures that each `await` polls, handles and other values.

use std::future::{pending, ready};
use std::pin::pin;
use std::time::Duration;

use volt::future::{join, race};
use volt::time::sleep;

async fn write(page: u32) -> u32 {
    ready(()).await;
    page
}

#[volt::state_machine(deny(dormant))]
async fn native() -> u32 {
    let mut limit = pin!(sleep(Duration::from_millis(1)));
    race(limit.as_mut(), ready(())).await;
    {
        // The future is dropped before the next await.
        let mut written = pin!(write(1));
        race(written.as_mut(), pending()).await;
    }
    let handle = pin!(volt::spawn(write(2)));
    let mut text = String::from("a");
    push(&mut text).await;
    write(2).await + handle.await.unwrap() + text.len() as u32
}

async fn push(text: &mut String) {
    text.push('b');
}

#[volt::state_machine(explicit, deny(dormant))]
async fn explicit() -> u32 {
    let mut handle = volt::spawn(write(1));
    let first = race(&mut handle, pending()).await.unwrap();
    let mut text = String::from("a");
    push(&mut text).await;
    let written = join(write(2), write(3)).await;
    handle.cancel();
    written.0 + written.1 + text.len() as u32 + first
}

fn main() {
    assert_eq!(volt::block_on(explicit()), 8);
    let _ = native();
}
