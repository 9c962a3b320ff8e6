struct Client;

impl Client {
    async fn get(&self, id: u32) -> u32 {
        id
    }
}

#[volt::state_machine(explicit)]
async fn ask(client: &Client) -> u32 {
    let first: u32 = client.get(1).await;
    let second: u32 = Client::get(client, 2).await;
    first + second
}

fn main() {
    drop(ask(&Client));
}
