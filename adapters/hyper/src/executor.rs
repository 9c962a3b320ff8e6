//! Tasks for hyper: HTTP/2 runs a task for each connection and stream, the pooled client some more.

use volt::Handle;

/// Runs hyper's futures as detached tasks of a volt runtime.
///
/// A task that panics ends by itself; the connection that it belonged to is closed.
#[derive(Clone, Debug, Default)]
pub struct Executor {
    handle: Option<Handle>,
}

impl Executor {
    /// Spawns on the runtime that the caller of hyper is in.
    ///
    /// hyper calls an executor where it is polled, so that is the runtime that runs the connection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Spawns on this runtime, wherever hyper is polled.
    #[must_use]
    pub fn on(handle: Handle) -> Self {
        Self {
            handle: Some(handle),
        }
    }
}

impl<F> hyper::rt::Executor<F> for Executor
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    /// # Panics
    ///
    /// Panics without a handle of its own on a thread that is in no runtime.
    #[track_caller]
    fn execute(&self, future: F) {
        match &self.handle {
            Some(handle) => drop(handle.spawn(future)),
            None => drop(volt::spawn(future)),
        }
    }
}
