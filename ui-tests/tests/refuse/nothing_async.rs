struct Client;

#[volt::state_machine(explicit)]
impl Client {
    fn fetch(&self) -> u8 {
        1
    }
}

fn main() {
    let _ = Client.fetch();
}
