//! The thread pool of futures.

use std::sync::OnceLock;

use futures::executor::ThreadPool;
use futures::future::RemoteHandle;
use futures::task::SpawnExt;
use futures_lite::future;

use crate::executor::Executor;

static POOL: OnceLock<ThreadPool> = OnceLock::new();

#[derive(Clone)]
pub(crate) struct OnThreadPool;

fn pool() -> &'static ThreadPool {
    POOL.get().expect("the pool is started")
}

impl Executor for OnThreadPool {
    const NAME: &'static str = "futures";

    type Handle<T: Send + 'static> = RemoteHandle<T>;

    fn start(workers: usize) -> Self {
        POOL.get_or_init(|| {
            let pool = ThreadPool::builder().pool_size(workers).create();
            pool.expect("the pool starts")
        });
        Self
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        future::block_on(future)
    }

    fn spawn<F>(&self, future: F) -> RemoteHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        pool().spawn_with_handle(future).expect("the pool runs")
    }

    fn spawn_here<F>(future: F) -> RemoteHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        Self.spawn(future)
    }

    async fn join<T: Send + 'static>(handle: RemoteHandle<T>) -> T {
        handle.await
    }

    fn detach<T: Send + 'static>(handle: RemoteHandle<T>) {
        handle.forget();
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        future::yield_now()
    }
}
