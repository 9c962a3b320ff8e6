//! A lint that is denied by default is reported once.

use std::mem::ManuallyDrop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

async fn pause() {}

#[volt::state_machine]
async fn ignored_guard(lock: &Mutex<u8>) {
    pause().await;
    let _ = lock.lock();
}

#[volt::state_machine]
async fn large_literal() -> u8 {
    pause().await;
    256
}

#[volt::state_machine]
async fn no_drop() {
    pause().await;
    drop(ManuallyDrop::new(String::new()));
}

#[volt::state_machine]
async fn wrong_order(number: AtomicU8) {
    pause().await;
    number.store(1, Ordering::Acquire);
}

#[volt::state_machine]
async fn no_enum() -> bool {
    pause().await;
    std::mem::discriminant(&1_u8) == std::mem::discriminant(&2)
}

fn main() {}
