struct Mailbox;

impl Mailbox {
    fn letters(&self) -> Vec<u32> {
        vec![]
    }
}

#[volt::state_machine(explicit)]
async fn each(mailbox: Mailbox) {
    for letter in mailbox.letters() {
        load(letter).await;
    }
    for number in 0..10 {
        load(number).await;
    }
}

fn main() {
    let _ = each(Mailbox);
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}
