//! Logging events and `json!` with locals that stay in their fields.

use std::fmt::Display;

use serde_json::{Value, json};
use tracing::{debug, info};
use volt::machine::{Layout, StateMachine};

async fn pause() {
    volt::task::yield_now().await;
}

async fn look(text: &str) -> usize {
    pause().await;
    text.len()
}

fn show<T: Display>(value: T) -> String {
    value.to_string()
}

macro_rules! subjects {
    ($($subject:item)*) => {
        /// The functions without machines.
        mod plain {
            use super::*;
            $($subject)*
        }
        mod machine {
            use super::*;
            $(#[volt::state_machine] $subject)*
        }
    };
}

subjects! {
    pub(super) async fn printed(name: String) -> Value {
        pause().await;
        let n = dbg!(name.len());
        pause().await;
        json!({ "name": name, "n": n })
    }

    pub(super) async fn listed(name: String, n: u32) -> Value {
        let first = name.get(..1);
        let length = look(&name).await;
        let value: Value = json!([name, n, { "first": first, "inner": [name, name.len()] }, length]);
        pause().await;
        json!({ "value": value, "name": name, "n": n })
    }

    pub(super) async fn key(name: String) -> Value {
        pause().await;
        let other = name.clone();
        pause().await;
        json!({ "name": &name, "other": other, name: 1 })
    }

    pub(super) async fn numbers(n: u32) -> Value {
        let of = &n;
        pause().await;
        let value: Value = json!({ "n": n as f64, "more": n + 1, "less": n < *of, "call": show(n) });
        pause().await;
        json!([value, *of])
    }

    pub(super) async fn events(name: String, mut n: u32) -> u32 {
        let first = name.get(..1);
        while n < 5 {
            info!(n, name, "turn");
            debug!(%name, of = n, first = ?first, "turn {n} of {name} {}", name);
            n += look(&name).await as u32;
            info!("{} {n:x} {}", n > 3, n as f32);
        }
        n + first.map_or(0, |first| first.len() as u32)
    }

    pub(super) async fn page(page: [u8; 64], mut n: u8) -> u8 {
        for _ in 0..2 {
            pause().await;
            n += page[usize::from(n)];
            debug!(n, first = page[0], "page {}", n == 1);
        }
        pause().await;
        n
    }
}

#[test]
fn values_equal_the_values_of_plain_functions() {
    use {machine as m, plain as p};

    let name = || "abc".to_owned();
    assert_eq!(
        volt::block_on(m::printed(name())),
        volt::block_on(p::printed(name()))
    );
    assert_eq!(
        volt::block_on(m::listed(name(), 2)),
        volt::block_on(p::listed(name(), 2))
    );
    assert_eq!(
        volt::block_on(m::key(name())),
        volt::block_on(p::key(name()))
    );
    assert_eq!(volt::block_on(m::numbers(2)), volt::block_on(p::numbers(2)));
    assert_eq!(
        volt::block_on(m::events(name(), 2)),
        volt::block_on(p::events(name(), 2))
    );
    assert_eq!(
        volt::block_on(m::page([1; 64], 2)),
        volt::block_on(p::page([1; 64], 2))
    );
}

#[test]
fn whole_arguments_keep_machines_explicit() {
    assert_eq!(machine::Printed::LAYOUT, Layout::Explicit);
    assert_eq!(machine::Listed::LAYOUT, Layout::Explicit);
    assert!(matches!(machine::Key::LAYOUT, Layout::Native { .. }));
    assert!(matches!(machine::Numbers::LAYOUT, Layout::Native { .. }));
}
