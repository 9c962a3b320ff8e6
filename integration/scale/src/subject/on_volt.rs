//! volt's runtime.

use std::time::Duration;

use volt::{Builder, JoinHandle, Runtime};

use super::runtime::Subject;

pub(super) struct OnVolt(Runtime);

impl Subject for OnVolt {
    const NAME: &'static str = "volt";

    type Handle = JoinHandle<()>;

    fn start(workers: usize) -> Self {
        Self(
            Builder::new()
                .worker_threads(workers)
                .build()
                .expect("volt starts"),
        )
    }

    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.0.spawn(future)
    }

    fn spawn_here(future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        volt::spawn(future)
    }

    fn detach(handle: JoinHandle<()>) {
        handle.detach();
    }

    async fn join(handle: JoinHandle<()>) {
        handle.await.expect("the task does not fail");
    }

    fn hour() -> impl Future<Output = ()> + Send {
        volt::time::sleep(Duration::from_secs(3600))
    }
}
