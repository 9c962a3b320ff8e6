//! Older names of states and locals that a snapshot cannot distinguish, or that have no effect.

use volt::task::yield_now;

#[volt::state_machine]
async fn not_stored(#[stored(was = "old")] new: u8) -> u8 {
    yield_now().await;
    new
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn unknown_option(#[stored(name = "old")] new: u8) -> u8 {
    #[step]
    yield_now().await;
    new
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn several_names(new: (u8, u8)) -> u8 {
    #[stored(was = "pair")]
    let (first, second) = new;
    #[step]
    yield_now().await;
    first + second
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn taken_names(#[stored(was = "second")] first: u8, second: u8) -> u8 {
    #[step]
    #[state(Waiting, was = "start")]
    yield_now().await;
    first + second
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn without_await(first: u8) -> u8 {
    #[state(Adding, was = "Summing")]
    let sum = first + 1;
    #[step]
    yield_now().await;
    sum
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn without_default(#[stored(default)] first: std::num::NonZeroU8) -> u8 {
    #[step]
    yield_now().await;
    first.get()
}

fn main() {}
