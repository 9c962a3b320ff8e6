//! Pages are read over two connections by a group of futures, and written over the same two.
//!
//! The loop waits for a connection. Reads of the group that were woken hold both connections, and
//! the loop does not poll them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use volt::Runtime;
use volt::future::FutureGroup;
use volt::time::sleep;

type Pool = Arc<Semaphore>;

#[volt::state_machine]
async fn read_page(pool: Pool, page: u64) -> u64 {
    let connection = pool.acquire().await.expect("the pool is open");
    sleep(Duration::from_millis(10 + page % 3)).await;
    drop(connection);
    page
}

#[volt::state_machine]
async fn write_page(pool: Pool, page: u64) {
    let connection = pool.acquire().await.expect("the pool is open"); // It hangs here.
    sleep(Duration::from_millis(page % 2)).await;
    drop(connection);
}

#[volt::state_machine]
async fn rebuild(pool: Pool) {
    let mut reads = FutureGroup::new();
    for page in 0..20 {
        reads.insert(read_page(Arc::clone(&pool), page));
    }
    while let Some((_id, page)) = reads.next().await {
        write_page(Arc::clone(&pool), page).await;
    }
}

pub(crate) fn begin(runtime: &Runtime) {
    let pool = Arc::new(Semaphore::new(2));
    runtime
        .handle()
        .spawn_named("rebuild", rebuild(pool))
        .detach();
}
