//! A function that is configured away takes all of its machine with it.
#![deny(warnings)]

#[cfg(any())]
#[volt::state_machine]
async fn gone(conn: &mut Missing) {
    tick().await;
}

#[volt::state_machine]
#[cfg(any())]
async fn gone_too(conn: &mut Missing) {
    tick().await;
}

fn main() {}
