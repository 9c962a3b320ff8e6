use std::future::{Ready, ready};

use volt::task::yield_now;

struct Db;

#[volt::state_machine(explicit)]
impl Db {
    async fn get(&self, id: u32) -> u32 {
        yield_now().await;
        id
    }
}

struct App {
    db: Db,
}

#[volt::state_machine(explicit)]
impl App {
    async fn of_a_field(&self, id: u32) -> u32 {
        self.db.get(id).await
    }
}

#[volt::state_machine(explicit)]
async fn in_a_box(app: Option<App>) -> u32 {
    Box::pin(app.unwrap().db.get(3)).await
}

#[volt::state_machine(explicit)]
async fn number(upto: u32) -> u32 {
    let mut n = 0;
    while n < upto {
        yield_now().await;
        n += 1;
    }
    n
}

#[volt::state_machine(explicit)]
async fn closure(by: u32) -> u32 {
    let add = |n: u32| n + by;
    yield_now().await;
    add(1)
}

#[volt::state_machine(explicit)]
async fn alias(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    yield_now().await;
    rest = &rest[1..];
    rest.len()
}

#[volt::state_machine(explicit)]
async fn bound(found: Option<Ready<u32>>) -> u32 {
    match found {
        Some(found) => found.await,
        None => ready(0).await,
    }
}

#[volt::state_machine(explicit)]
async fn parts([a, b]: [u32; 2]) -> u32 {
    yield_now().await;
    a + b
}

fn main() {}
