use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Address {
    street: String,
}

#[derive(Serialize, Deserialize)]
struct Reply {
    text: String,
    calls: Vec<String>,
    address: Address,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn child(number: u32) -> u32 {
    number
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn part_without_an_empty_value(reply: Reply) -> usize {
    let address = reply.address;
    child(1).await;
    reply.text.len() + address.street.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn part_as_a_receiver(reply: Reply) -> usize {
    let calls: Vec<String> = reply.calls.into_iter().rev().collect();
    child(1).await;
    reply.text.len() + calls.len()
}

fn size(address: &Address, closure: impl FnOnce() -> usize) -> usize {
    address.street.len() + closure()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn part_in_a_closure(reply: Reply) -> usize {
    let size = size(&reply.address, || reply.calls.into_iter().len());
    child(1).await;
    reply.text.len() + size
}

fn main() {}
