//! tokio's multi-thread runtime.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use crate::executor::Executor;

#[derive(Clone)]
pub(crate) struct OnTokio(Arc<Runtime>);

impl Executor for OnTokio {
    const NAME: &'static str = "tokio";

    type Handle<T: Send + 'static> = JoinHandle<T>;

    fn start(workers: usize) -> Self {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(workers).enable_all().build();
        Self(Arc::new(runtime.expect("tokio starts")))
    }

    fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.0.block_on(future)
    }

    fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.0.spawn(future)
    }

    fn spawn_here<F>(future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        tokio::spawn(future)
    }

    async fn join<T: Send + 'static>(handle: JoinHandle<T>) -> T {
        handle.await.expect("the task does not fail")
    }

    fn detach<T: Send + 'static>(handle: JoinHandle<T>) {
        drop(handle);
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        tokio::task::yield_now()
    }
}
