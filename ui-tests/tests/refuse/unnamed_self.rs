trait Load {
    async fn load(self) -> u8;
}

struct Client;

#[volt::state_machine(explicit)]
impl Load for &Client {
    async fn load(self) -> u8 {
        1
    }
}

fn main() {
    let _ = (&Client).load();
}
