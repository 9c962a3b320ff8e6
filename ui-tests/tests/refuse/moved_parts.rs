use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Reply {
    text: String,
    calls: Vec<String>,
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn child(number: u32) -> u32 {
    number
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn part_without_a_type(reply: Reply) -> usize {
    let calls = reply.calls;
    child(1).await;
    reply.text.len() + calls.len()
}

fn count(calls: Vec<String>) -> usize {
    calls.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn part_as_an_argument(reply: Reply) -> usize {
    let number = count(reply.calls);
    child(1).await;
    reply.text.len() + number
}

fn main() {}
