//! `TaskBuilder`: tasks with a name.

use std::panic::Location;

use super::context;
use super::handle::Handle;
use super::spawn::spawn;
use crate::task::{JoinHandle, NamedMetadata, boxed_if_large};

/// Configures a task before it is spawned.
///
/// # Examples
///
/// ```
/// volt::block_on(async {
///     let task = volt::TaskBuilder::new().name("reader").spawn(std::future::pending::<()>());
///     assert!(volt::Handle::current().dump().to_string().contains("\"reader\""));
///     task.cancel();
/// });
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "`spawn` spawns"]
pub struct TaskBuilder {
    name: Option<Box<str>>,
}

impl TaskBuilder {
    /// Creates a builder for a task without a name.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the name, which [`dump`](Handle::dump) shows. By default a task has none.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into().into_boxed_str());
        self
    }

    /// Spawns the task on the runtime that this thread is in; see [`volt::spawn`](crate::spawn).
    ///
    /// # Panics
    ///
    /// Panics on a thread that is in no runtime.
    #[track_caller]
    pub fn spawn<F>(self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        let Some(name) = self.name else {
            return spawn(future);
        };
        let metadata = NamedMetadata::new(name, Location::caller());
        boxed_if_large!(F, |future, metadata| {
            context::with(|handle| handle.scheduler.spawn(future, metadata))
        })
    }

    /// Spawns the task on the runtime of `handle`; see [`Handle::spawn`].
    #[track_caller]
    pub fn spawn_on<F>(self, handle: &Handle, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send + 'static> + Send + 'static,
    {
        match self.name {
            Some(name) => handle.spawn_named(name, future),
            None => handle.spawn(future),
        }
    }
}
