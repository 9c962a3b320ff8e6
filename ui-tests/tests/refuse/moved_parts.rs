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

async fn look(reply: &Reply) -> usize {
    reply.text.len()
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn part_beside_a_borrow(reply: Reply) -> usize {
    #[step]
    #[state(Looking)]
    let mut length: usize = look(&reply).await;
    for call in reply.calls {
        let text = &reply.text;
        length += text.len();
        child(1).await;
        length += call.len();
    }
    length + reply.text.len()
}

fn main() {}
