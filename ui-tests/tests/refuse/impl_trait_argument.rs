trait Feed {
    fn feed(&self, value: impl Into<u32>) -> impl Future<Output = u32>;
}

struct Store;

#[volt::state_machine(explicit)]
impl Feed for Store {
    async fn feed(&self, value: impl Into<u32>) -> u32 {
        volt::task::yield_now().await;
        value.into()
    }
}

fn main() {}
