//! A task with a name.

use std::panic::Location;

use super::context;
use super::handle::Handle;
use super::spawn::spawn;
use crate::task::{JoinHandle, NamedMetadata, boxed_if_large};

/// Spawns tasks of which more is known than where they were spawned.
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
    /// Begins with nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the name, which [`dump`](Handle::dump) shows.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into().into_boxed_str());
        self
    }

    /// As [`volt::spawn`](crate::spawn).
    ///
    /// # Panics
    ///
    /// When the thread is in no runtime.
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

    /// As [`Handle::spawn`].
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
