//! What every contestant can do.

use std::net::SocketAddr;
use std::time::Duration;

/// How many workers each of them has.
pub(crate) const WORKERS: usize = 4;

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

/// An executor whose tasks may be waited for by a thread.
pub(crate) trait Joins: Executor {
    /// Blocks a thread that is no worker.
    fn join_outside<T: Send + 'static>(&self, handle: Self::Handle<T>) -> T {
        self.block_on(Self::join(handle))
    }

    /// Blocks the worker that runs the calling task.
    fn join_here<T: Send + 'static>(handle: Self::Handle<T>) -> T;
}

/// An executor that ends in bounded time.
pub(crate) trait Ends: Executor {
    /// Ends the executor, of which there are no clones, and waits for at most so long.
    fn shutdown(self, limit: Duration);
}

/// An executor with timers and sockets. The functions are called within `block_on` or a task.
pub(crate) trait Drives: Executor {
    type Listener: Send + 'static;
    type Stream: Send + 'static;

    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send + 'static;

    /// The output of the future, unless the duration passes first.
    fn timeout<F>(duration: Duration, future: F) -> impl Future<Output = Option<F::Output>> + Send
    where
        F: Future<Output: Send> + Send;

    /// Listens on a free port of the loopback.
    fn listen() -> impl Future<Output = (Self::Listener, SocketAddr)> + Send;

    fn accept(listener: &Self::Listener) -> impl Future<Output = Self::Stream> + Send;

    fn connect(address: SocketAddr) -> impl Future<Output = Self::Stream> + Send;

    /// Reads something; nothing at the end.
    fn read(stream: &mut Self::Stream, buf: &mut [u8]) -> impl Future<Output = usize> + Send;

    fn read_exact(stream: &mut Self::Stream, buf: &mut [u8]) -> impl Future<Output = ()> + Send;

    fn write_all(stream: &mut Self::Stream, buf: &[u8]) -> impl Future<Output = ()> + Send;
}
