struct Client;

#[volt::state_machine(name = Fetch)]
impl Client {
    async fn fetch(&self) -> u8 {
        1
    }
}

fn main() {
    let _ = Client.fetch();
}
