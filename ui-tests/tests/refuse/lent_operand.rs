use std::future::poll_fn;
use std::task::{Context, Poll};
use std::time::Duration;

use volt::future::{FuturesExt, compose, join, race};
use volt::task::yield_now;
use volt::time::timeout;

#[volt::state_machine(explicit)]
async fn fetch(url: &str) -> usize {
    yield_now().await;
    url.len()
}

fn fetch_now(url: &str, cx: &mut Context<'_>) -> Poll<usize> {
    cx.waker().wake_by_ref();
    Poll::Ready(url.len())
}

/// A function that lends nothing.
#[volt::state_machine(explicit)]
async fn alone(url: String) -> usize {
    compose(fetch(&url)).await
}

/// Types that are not those of what is called.
#[volt::state_machine(explicit)]
async fn typed(url: String) -> usize {
    timeout::<_>(Duration::from_secs(1), fetch(&url)).await.unwrap_or(0)
}

/// A closure, whose output nobody wrote.
#[volt::state_machine(explicit)]
async fn closure(url: String) -> usize {
    race(fetch(&url), poll_fn(|cx| fetch_now(&url, cx))).await
}

/// Others whose types do not show.
#[volt::state_machine(explicit)]
async fn beside<F: Future<Output = usize>>(url: String, make: fn() -> F) -> usize {
    let made = make();
    let (a, b, c): (usize, usize, usize) = (fetch(&url), made, make()).join().await;
    let (d, e): (usize, usize) = join(fetch(&url), async { 3 }).await;
    a + b + c + d + e
}

fn main() {}
