//! What every contestant can do.

/// A running executor with a fixed number of worker threads.
pub(crate) trait Executor: Clone + Send + Sync + 'static {
    const NAME: &'static str;

    /// What a spawn returns. Dropping it may cancel the task: see [`detach`](Executor::detach).
    type Handle<T: Send + 'static>: Send;

    fn start(workers: usize) -> Self;

    /// Runs `future` on the calling thread, which is no worker.
    fn block_on<F: Future>(&self, future: F) -> F::Output;

    /// Spawns from a thread that is no worker.
    fn spawn<F>(&self, future: F) -> Self::Handle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static;

    /// Spawns from within `block_on` or a task.
    fn spawn_here<F>(future: F) -> Self::Handle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static;

    /// Waits for a task that does not fail.
    fn join<T: Send + 'static>(handle: Self::Handle<T>) -> impl Future<Output = T> + Send;

    /// Lets go of the handle; the task goes on.
    fn detach<T: Send + 'static>(handle: Self::Handle<T>);

    /// Gives way once, as the executor's own users would.
    fn yield_now() -> impl Future<Output = ()> + Send;
}
