#[volt::state_machine(explicit, max_size = 16)]
async fn large(buffer: [u8; 64]) -> u8 {
    buffer[0]
}

fn main() {
    let _ = large([0; 64]);
}
