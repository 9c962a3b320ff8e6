//! `self` where there is no receiver, and errors of methods of traits: one error each, which names
//! `self`.

use std::future::ready;

struct Page {
    size: u32,
}

#[volt::state_machine]
impl Page {
    async fn missing() -> u32 {
        ready(()).await;
        self.size
    }

    async fn missing_in_text() -> String {
        ready(()).await;
        format!("{self}")
    }
}

#[volt::state_machine]
async fn outside() -> u32 {
    ready(()).await;
    self.size
}

#[volt::state_machine]
async fn outside_in_macro() -> String {
    ready(()).await;
    format!("{}", self.size)
}

trait Measure {
    async fn size(&self) -> u32;
    async fn change(&self);
}

#[volt::state_machine]
impl Measure for Page {
    async fn size(&self) -> u32 {
        ready(()).await;
        self.missing
    }

    async fn change(&self) {
        ready(()).await;
        self.size = 3;
    }
}

fn main() {}
