trait Fetch {
    type Future: Future<Output = u32>;
    fn fetch(&self, id: u32) -> Self::Future;
    fn open() -> Self::Future;
}

#[volt::state_machine(explicit)]
async fn both<S: Fetch>(store: S) -> u32 {
    let first: u32 = store.fetch(1).await;
    first + S::open().await
}

fn main() {}
