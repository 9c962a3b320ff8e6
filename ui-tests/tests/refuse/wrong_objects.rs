//! A trait object that does not exist is reported where the user wrote it.

trait Handler {
    async fn handle(&self, number: u32) -> u32;
}

#[volt::state_machine]
async fn argument(handler: Box<dyn Handler>) -> u32 {
    handler.handle(1).await
}

#[volt::state_machine(native)]
async fn list(handlers: &[Box<dyn Handler>]) -> usize {
    handlers.len()
}

struct Page;

#[volt::state_machine]
impl Page {
    async fn method(&self, handler: &dyn Handler) -> u32 {
        handler.handle(2).await
    }
}

fn main() {}
