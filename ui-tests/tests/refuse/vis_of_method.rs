struct Client;

#[volt::state_machine(explicit, vis = pub)]
impl Client {
    async fn fetch(&self) -> u8 {
        1
    }
}

fn main() {
    let _ = Client.fetch();
}
