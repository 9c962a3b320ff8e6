//! The name of a runtime.

use super::builder::Builder;
use crate::runtime::handle::Handle;

impl Builder {
    /// Sets the name of the runtime, which [`Handle::name`] returns. By default it has none.
    ///
    /// The name distinguishes several runtimes of a program in its logs and metrics. It is not the
    /// name of the threads, which [`thread_name`](Self::thread_name) sets.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::builder().name("ingest").build()?;
    /// assert_eq!(runtime.handle().name(), Some("ingest"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

impl Handle {
    /// Returns the name of the runtime, if it has one; see [`Builder::name`].
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.scheduler.name()
    }
}
