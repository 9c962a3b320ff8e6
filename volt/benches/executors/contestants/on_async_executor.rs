//! async-executor's static executor, smol's engine at its fastest.

use std::future::pending;
use std::thread;

use async_executor::{StaticExecutor, Task};
use futures_lite::future;

use crate::executor::{Executor, Joins};

static EXECUTOR: StaticExecutor = StaticExecutor::new();

#[derive(Clone)]
pub(crate) struct OnAsyncExecutor;

impl Executor for OnAsyncExecutor {
    const NAME: &'static str = "async-executor";

    type Handle<T: Send + 'static> = Task<T>;

    fn start(workers: usize) -> Self {
        for _ in 0..workers {
            thread::spawn(|| future::block_on(EXECUTOR.run(pending::<()>())));
        }
        Self
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        future::block_on(future)
    }

    fn spawn<F>(&self, future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        EXECUTOR.spawn(future)
    }

    fn spawn_here<F>(future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        EXECUTOR.spawn(future)
    }

    async fn join<T: Send + 'static>(handle: Task<T>) -> T {
        handle.await
    }

    fn detach<T: Send + 'static>(handle: Task<T>) {
        handle.detach();
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        future::yield_now()
    }
}

impl Joins for OnAsyncExecutor {
    fn join_here<T: Send + 'static>(handle: Task<T>) -> T {
        future::block_on(handle)
    }
}
