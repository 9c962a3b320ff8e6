use std::cell::{Cell, RefCell};
use std::ops::{Deref, Index};

use volt::future::join;
use volt::task::yield_now;

struct Hosts {
    turn: Cell<usize>,
    hosts: Vec<String>,
}

impl Hosts {
    fn as_str(&self) -> &str {
        self.turn.set(self.turn.get() + 1);
        &self.hosts[self.turn.get() % self.hosts.len()]
    }

    fn len(&self) -> usize {
        self.turn.get()
    }
}

impl Index<u32> for Hosts {
    type Output = str;

    fn index(&self, _: u32) -> &str {
        self.as_str()
    }
}

impl Deref for Hosts {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

struct Config {
    url: String,
    tags: Vec<String>,
    at: usize,
}

#[volt::state_machine(explicit)]
async fn show(url: &str) -> usize {
    yield_now().await;
    url.len()
}

#[volt::state_machine(explicit)]
async fn advance(text: &str, at: &mut usize) -> usize {
    *at += 1;
    yield_now().await;
    text.len() + *at
}

#[volt::state_machine(explicit)]
async fn count(at: &mut usize) -> usize {
    *at += 1;
    yield_now().await;
    *at
}

/// A guard, which the function as it is written holds for the whole of the await.
#[volt::state_machine(explicit)]
async fn guarded(config: RefCell<Config>) -> usize {
    show(&config.borrow().url).await + show(&config.borrow().tags[0]).await
}

/// An index of the user's own, and a number that a function of the user's gives.
#[volt::state_machine(explicit)]
async fn indexed(hosts: Hosts, text: String) -> usize {
    show(&hosts[1]).await + show(&text[..hosts.len()]).await
}

/// The same behind a reference, a pointer, and as an element.
#[volt::state_machine(explicit)]
async fn behind(lent: &Hosts, boxed: Box<Hosts>, list: Vec<Hosts>) -> usize {
    show(&lent[1]).await + show(&boxed[1]).await + show(&list[0][1]).await
}

/// Numbers that another argument changes, by their name or with all that they stand in.
#[volt::state_machine(explicit)]
async fn changed(list: Vec<String>, mut at: usize, mut config: Config) -> usize {
    let sum: usize = advance(&list[at], &mut at).await;
    let more: usize = advance(&list[config.at], &mut config.at).await;
    sum + more + join(show(&list[at]), count(&mut at)).await.0
}

#[volt::state_machine(explicit)]
async fn changed_by_lent(list: Vec<String>, at: &mut usize) -> usize {
    advance(&list[*at], at).await
}

fn main() {}
