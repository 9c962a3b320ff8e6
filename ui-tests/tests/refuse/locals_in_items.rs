//! A local of the function in an item of its body is reported once.

async fn load(number: u32) -> u32 {
    number
}

#[volt::state_machine]
async fn local_in_a_constant(number: u32) -> u32 {
    const LIMIT: u32 = number;
    load(LIMIT + number).await
}

struct Page(u32);

#[volt::state_machine]
impl Page {
    async fn local_in_a_function(&self) -> u32 {
        let size = self.0;
        fn nested() -> u32 {
            size + 1
        }
        load(nested() + size).await
    }
}

fn main() {}
