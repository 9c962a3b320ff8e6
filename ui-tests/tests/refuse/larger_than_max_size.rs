#[volt::state_machine(explicit, max_size = 16)]
async fn large(buffer: [u8; 64]) -> u8 {
    buffer[0]
}

#[volt::state_machine(max_size = 16)]
async fn waits(page: [u8; 1024]) -> u8 {
    volt::task::yield_now().await;
    page[7]
}

#[volt::state_machine(native, max_size = 16)]
async fn native(page: [u8; 512]) -> u8 {
    volt::task::yield_now().await;
    page[7]
}

struct Page([u8; 64]);

#[volt::state_machine(max_size = 32)]
impl Page {
    async fn small(&self) -> u8 {
        self.0[7]
    }

    async fn of_value(self) -> u8 {
        volt::task::yield_now().await;
        self.0[7]
    }
}

fn main() {
    let _ = large([0; 64]);
    let _ = Page([0; 64]).small();
    let _ = Page([0; 64]).of_value();
}
