struct Client;

impl Client {
    #[volt::state_machine(explicit)]
    async fn fetch(&self, id: u32) -> u32 {
        id
    }
}

fn main() {
    let _ = Client.fetch(1);
}
