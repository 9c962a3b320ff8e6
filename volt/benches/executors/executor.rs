//! The operations of every contestant.

use std::net::SocketAddr;
use std::time::Duration;

/// The number of workers of each executor.
pub(crate) const WORKERS: usize = 4;

/// A running executor with a fixed number of worker threads.
pub(crate) trait Executor: Clone + Send + Sync + 'static {
    const NAME: &'static str;

    /// The handle that a spawn returns. A drop may cancel the task: see
    /// [`detach`](Executor::detach).
    type Handle<T: Send + 'static>: Send;

    fn start(workers: usize) -> Self;

    /// Runs `future` on the calling thread, which is not a worker.
    fn block_on<F: Future>(&self, future: F) -> F::Output;

    /// Spawns from a thread that is not a worker.
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

    /// Drops the handle without cancelling the task.
    fn detach<T: Send + 'static>(handle: Self::Handle<T>);

    /// Yields once, as users of the executor do.
    fn yield_now() -> impl Future<Output = ()> + Send;
}

/// An executor whose tasks can be joined by a blocking thread.
pub(crate) trait Joins: Executor {
    /// Blocks a thread that is not a worker.
    fn join_outside<T: Send + 'static>(&self, handle: Self::Handle<T>) -> T {
        self.block_on(Self::join(handle))
    }

    /// Blocks the worker that runs the calling task.
    fn join_here<T: Send + 'static>(handle: Self::Handle<T>) -> T;
}

/// An executor whose shutdown takes bounded time.
pub(crate) trait Ends: Executor {
    /// Shuts down the executor, which must have no clones, and waits at most for `limit`.
    fn shutdown(self, limit: Duration);
}

/// An executor with timers and sockets. The functions are called within `block_on` or a task.
pub(crate) trait Drives: Executor {
    type Listener: Send + 'static;
    type Stream: Send + 'static;

    fn sleep(duration: Duration) -> impl Future<Output = ()> + Send + 'static;

    /// Returns the output of the future, or `None` if the duration passes first.
    fn timeout<F>(duration: Duration, future: F) -> impl Future<Output = Option<F::Output>> + Send
    where
        F: Future<Output: Send> + Send;

    /// Listens on a free port of the loopback.
    fn listen() -> impl Future<Output = (Self::Listener, SocketAddr)> + Send;

    fn accept(listener: &Self::Listener) -> impl Future<Output = Self::Stream> + Send;

    fn connect(address: SocketAddr) -> impl Future<Output = Self::Stream> + Send;

    /// Reads some bytes. Zero means the end of the stream.
    fn read(stream: &mut Self::Stream, buf: &mut [u8]) -> impl Future<Output = usize> + Send;

    fn read_exact(stream: &mut Self::Stream, buf: &mut [u8]) -> impl Future<Output = ()> + Send;

    fn write_all(stream: &mut Self::Stream, buf: &[u8]) -> impl Future<Output = ()> + Send;
}
