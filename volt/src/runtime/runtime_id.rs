//! Which runtime it is.

use std::fmt;
use std::num::NonZeroUsize;

use super::handle::Handle;

/// Which runtime it is, among those that are there: a later one may have the id of one that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuntimeId(NonZeroUsize);

impl fmt::Display for RuntimeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.0)
    }
}

impl Handle {
    /// Which runtime it is of.
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
