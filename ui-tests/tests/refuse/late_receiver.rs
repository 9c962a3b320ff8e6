struct Letter(String);

impl Letter {
    fn with(self, stamp: u32) -> String {
        format!("{}{stamp}", self.0)
    }
}

#[volt::state_machine(explicit)]
async fn send(letter: Letter, other: String) -> String {
    let stamped: String = letter.with(load(1).await);
    stamped + &other
}

fn main() {
    let _ = send(Letter(String::new()), String::new());
}

#[volt::state_machine(explicit)]
async fn load(id: u32) -> u32 {
    id
}
