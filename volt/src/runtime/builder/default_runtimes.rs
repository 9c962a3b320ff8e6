//! Constructors of runtimes with the default settings.

use std::io;

use super::builder::Builder;
use crate::runtime::local_runtime::LocalRuntime;
use crate::runtime::runtime::Runtime;

impl LocalRuntime {
    /// Starts a runtime that runs its tasks on this thread, with the default settings.
    ///
    /// # Errors
    ///
    /// Returns an error if the system grants no descriptors for the driver.
    pub fn new() -> io::Result<Self> {
        Builder::new().build_local()
    }
}

impl Runtime {
    /// Starts a runtime with a worker for each processor, and the default settings.
    ///
    /// # Errors
    ///
    /// Returns an error if the system starts no threads, or grants no descriptors for the driver.
    pub fn new() -> io::Result<Self> {
        Builder::new().build()
    }

    /// Returns a builder with the default settings.
    pub fn builder() -> Builder {
        Builder::new()
    }
}
