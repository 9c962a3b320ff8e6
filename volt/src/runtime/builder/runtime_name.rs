//! The name of a runtime.

use super::builder::Builder;
use crate::runtime::handle::Handle;

impl Builder {
    /// Sets a name for the runtime, which [`Handle::name`] returns. By default it has none.
    ///
    /// A program with several runtimes can tell them apart by it, in its logs and metrics. The
    /// names of the threads are another setting: [`thread_name`](Self::thread_name).
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
