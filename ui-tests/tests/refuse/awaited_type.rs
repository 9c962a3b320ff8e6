trait Connect {
    async fn connect(address: String) -> u32;
}

struct Stream;

impl Connect for Stream {
    async fn connect(address: String) -> u32 {
        address.len() as u32
    }
}

#[volt::state_machine(explicit)]
async fn dial(address: String) -> u32 {
    <Stream as Connect>::connect(address).await
}

fn main() {
    let _ = dial(String::new());
}
