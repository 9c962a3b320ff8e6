//! volt's own runtime.

use std::sync::Arc;

use volt::{Builder, JoinHandle, Runtime};

use crate::executor::Executor;

#[derive(Clone)]
pub(crate) struct OnVolt(Arc<Runtime>);

impl Executor for OnVolt {
    const NAME: &'static str = "volt";

    type Handle<T: Send + 'static> = JoinHandle<T>;

    fn start(workers: usize) -> Self {
        let runtime = Builder::new().worker_threads(workers).build();
        Self(Arc::new(runtime.expect("volt starts")))
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
        volt::spawn(future)
    }

    async fn join<T: Send + 'static>(handle: JoinHandle<T>) -> T {
        handle.await.expect("the task does not fail")
    }

    fn detach<T: Send + 'static>(handle: JoinHandle<T>) {
        handle.detach();
    }

    fn yield_now() -> impl Future<Output = ()> + Send {
        volt::task::yield_now()
    }
}
