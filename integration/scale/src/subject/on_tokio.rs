//! tokio's runtime of several threads.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use super::runtime::Subject;

pub(super) struct OnTokio(Runtime);

impl Subject for OnTokio {
    const NAME: &'static str = "tokio";

    type Handle = JoinHandle<()>;

    fn start(workers: usize) -> Self {
        let mut builder = Builder::new_multi_thread();
        Self(
            builder
                .worker_threads(workers)
                .enable_all()
                .build()
                .expect("tokio starts"),
        )
    }

    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.0.spawn(future)
    }

    fn spawn_here(future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        tokio::spawn(future)
    }

    fn detach(handle: JoinHandle<()>) {
        drop(handle);
    }

    async fn join(handle: JoinHandle<()>) {
        handle.await.expect("the task does not fail");
    }

    fn hour() -> impl Future<Output = ()> + Send {
        tokio::time::sleep(Duration::from_secs(3600))
    }
}
