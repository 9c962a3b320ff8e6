#[volt::state_machine]
async fn connect(address: String) -> u32 {
    Stream::connect(address).await
}

struct Stream;

impl Stream {
    async fn connect(address: String) -> u32 {
        address.len() as u32
    }
}

fn main() {
    let _ = connect(String::new());
}
