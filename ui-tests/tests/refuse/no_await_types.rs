#[volt::state_machine(explicit)]
async fn method(clients: Vec<Client>) -> u32 {
    clients[0].fetch(1).await
}

struct Client;

impl Client {
    async fn fetch(&self, id: u32) -> u32 {
        id
    }
}

fn main() {
    let _ = method(vec![Client]);
}
