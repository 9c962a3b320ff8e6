//! The operations that both runtimes have.

/// A runtime with several workers.
pub(super) trait Subject: Send + Sync + 'static {
    /// The name of the runtime on the command line.
    const NAME: &'static str;

    /// The handle of a task.
    type Handle: Send;

    /// Starts the runtime.
    fn start(workers: usize) -> Self;

    /// Spawns a task from a thread outside of the runtime.
    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> Self::Handle;

    /// Spawns a task from a task.
    fn spawn_here(future: impl Future<Output = ()> + Send + 'static) -> Self::Handle;

    /// Lets the task run without its handle.
    fn detach(handle: Self::Handle);

    /// Waits for a task.
    fn join(handle: Self::Handle) -> impl Future<Output = ()> + Send;

    /// Returns a timer of one hour.
    fn hour() -> impl Future<Output = ()> + Send;
}
