//! A pattern of a generic function with the option `explicit` names a constant of another crate.

use codes::*;

#[volt::state_machine(explicit)]
async fn named_item<T>(found: Option<u32>, other: T) -> u32
where
    u32: From<T>,
{
    let other: u32 = u32::from(other);
    let Some(limit) = found else { return other };
    let sum: u32 = limit + other;
    let turn: std::future::Ready<()> = std::future::ready(());
    turn.await;
    sum
}

#[volt::state_machine(explicit)]
async fn named_local<T>(found: Option<u32>, other: T) -> u32
where
    u32: From<T>,
{
    let other: u32 = u32::from(other);
    let Some(number) = found else { return other };
    let sum: u32 = number + other;
    let turn: std::future::Ready<()> = std::future::ready(());
    turn.await;
    sum
}

fn main() {}
