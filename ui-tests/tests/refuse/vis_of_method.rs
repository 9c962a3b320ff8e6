struct Client;

#[volt::state_machine(explicit, vis = pub)]
impl Client {
    async fn fetch(&self) -> u8 {
        1
    }
}

#[volt::state_machine(explicit, vis = pub)]
async fn load() {}

fn main() {
    let _ = Client.fetch();
    let _ = load();
}
