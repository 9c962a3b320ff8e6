struct Client;

impl Client {
    fn new(port: u16) -> Option<Client> {
        (port != 0).then_some(Client)
    }
}

#[volt::state_machine(explicit)]
async fn connect(port: u16) -> bool {
    let client = Client::new(port);
    volt::task::yield_now().await;
    client.is_some()
}

fn main() {
    drop(connect(1));
}
