//! A task that waits for a lock which it holds itself.

use std::sync::Arc;

use examples::middleware::{Permit, Semaphore, acquire};
use volt::Runtime;

#[volt::state_machine]
async fn transfer(books: Arc<Semaphore>) {
    let from: Permit = acquire(Arc::clone(&books)).await;
    let to: Permit = acquire(books).await; // It hangs here.
    drop((from, to));
}

pub(crate) fn begin(runtime: &Runtime) {
    let books = Semaphore::new(1);
    runtime
        .handle()
        .spawn_named("clerk", transfer(books))
        .detach();
}
