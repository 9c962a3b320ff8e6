struct Client;

impl Client {
    #[volt::state_machine(explicit)]
    async fn fetch(&self, id: u32) -> u32 {
        id
    }

    #[volt::state_machine]
    async fn open() -> Self {
        std::future::ready(()).await;
        Self
    }
}

fn main() {
    let _ = Client.fetch(1);
    let _ = Client::open();
}
