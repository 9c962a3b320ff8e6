//! A future that one `await` polls, and another one holds.

use std::future::{pending, ready};
use std::pin::pin;

use volt::future::race;

async fn write(page: u32) -> u32 {
    pending::<()>().await;
    page
}

#[volt::state_machine(deny(dormant))]
async fn native() -> u32 {
    let mut written = pin!(write(1));
    let first = race(written.as_mut(), ready(0)).await;
    let second = write(2).await;
    first + second + written.await
}

#[volt::state_machine(explicit, deny(dormant))]
async fn explicit() -> u32 {
    let mut written = Box::pin(write(1));
    let first = race(written.as_mut(), ready(0)).await;
    let second = write(2).await;
    first + second + written.await
}

#[volt::state_machine(deny(orphan))]
async fn other() {
    ready(()).await;
}

fn main() {
    let _ = (native(), explicit(), other());
}
