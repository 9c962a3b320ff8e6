use std::time::Duration;

use volt::future::join;
use volt::task::yield_now;
use volt::time::timeout;

#[volt::state_machine]
async fn fetch(url: &str) -> usize {
    yield_now().await;
    url.len()
}

struct Client;

#[volt::state_machine]
impl Client {
    async fn fetch(&self, id: u32) -> u32 {
        yield_now().await;
        id
    }

    async fn soon(&self, id: u32) -> u32 {
        timeout(Duration::from_secs(1), self.fetch(id)).await.unwrap_or(0)
    }
}

#[volt::state_machine]
async fn soon(url: String) -> usize {
    timeout(Duration::from_secs(1), fetch(&url)).await.unwrap_or(0)
}

#[volt::state_machine]
async fn both(first: &str, second: String) -> usize {
    let (a, b): (usize, usize) = join(fetch(first), fetch(&second)).await;
    a + b
}

fn main() {}
