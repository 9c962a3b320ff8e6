enum Message {
    Text(String),
    End,
}

#[volt::state_machine(explicit)]
async fn first(message: Message) -> usize {
    match message {
        Message::Text(text) => {
            tick().await;
            text.len()
        }
        Message::End => 0,
    }
}

fn main() {
    let _ = first(Message::End);
    let _ = first(Message::Text(String::new()));
}

async fn tick() {}
