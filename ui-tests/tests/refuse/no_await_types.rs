#[volt::state_machine]
async fn method(client: Client) -> u32 {
    client.fetch(1).await
}

struct Client;

impl Client {
    async fn fetch(&self, id: u32) -> u32 {
        id
    }
}

fn main() {
    let _ = method(Client);
}
