use std::future::Future;
use std::pin::Pin;

trait Store {
    type Get<'a>: Future<Output = u32>
    where
        Self: 'a;

    fn get(&self) -> Self::Get<'_>;
}

#[volt::state_machine(explicit)]
async fn first<S: Store>(store: S) -> u32 {
    let future: S::Get<'_> = store.get();
    future.await
}

#[volt::state_machine(explicit)]
async fn boxed(id: u32) -> u32 {
    let future: Pin<Box<_>> = Box::pin(volt::task::yield_now());
    future.await;
    id
}

fn main() {
    let _ = boxed(1);
}
