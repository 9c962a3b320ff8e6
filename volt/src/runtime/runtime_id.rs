//! The id of a runtime.

use std::fmt;
use std::num::NonZeroUsize;

use super::handle::Handle;

/// The id of a runtime.
///
/// No two runtimes have the same id at a time. A later runtime may reuse the id of one that was
/// dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuntimeId(NonZeroUsize);

impl fmt::Display for RuntimeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

impl Handle {
    /// Returns the id of the runtime.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::new()?;
    /// let here = runtime.block_on(async { volt::Handle::current().id() });
    /// assert_eq!(here, runtime.handle().id());
    /// assert_ne!(here, volt::Runtime::new()?.handle().id());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> RuntimeId {
        RuntimeId(self.scheduler.runtime_id())
    }
}
