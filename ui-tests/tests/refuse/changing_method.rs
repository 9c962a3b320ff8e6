use std::cell::RefCell;
use std::ops::Deref;

use volt::task::yield_now;

struct Hosts(RefCell<Vec<String>>);

impl Hosts {
    fn as_str(&self) -> &str {
        "a"
    }
}

impl Deref for Hosts {
    type Target = str;

    fn deref(&self) -> &str {
        "b"
    }
}

struct Page {
    hosts: Hosts,
}

#[volt::state_machine(explicit)]
async fn show(url: &str) -> usize {
    yield_now().await;
    url.len()
}

#[volt::state_machine(explicit)]
async fn by_name(hosts: Hosts) -> usize {
    show(hosts.as_str()).await + show(hosts.deref()).await
}

#[volt::state_machine(explicit)]
async fn by_field(page: &Page) -> usize {
    show(page.hosts.as_str()).await
}

fn main() {}
