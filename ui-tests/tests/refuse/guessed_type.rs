struct Text;

impl Text {
    fn to_string(&self) -> u32 {
        1
    }
}

#[volt::state_machine(explicit)]
async fn guess(text: Text) -> u32 {
    let number = text.to_string();
    volt::task::yield_now().await;
    number
}

fn main() {
    drop(guess(Text));
}
