//! The setting for a tokio runtime inside of a runtime.

use std::io;

use super::builder::Builder;
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::tokio_context::TokioContext;

impl Builder {
    /// Also starts a tokio runtime with one thread, for libraries that require tokio. By default
    /// there is none.
    ///
    /// Each poll, blocking job and `block_on` of this runtime is then in the context of the tokio
    /// runtime too. So libraries for tokio work without changes: reqwest, sqlx, the transport of
    /// tonic, timeouts and buffers of `tower`, timers and sockets of tokio, and `tokio::spawn`. The
    /// thread `..-tokio` drives the reactor of tokio. A task of volt that waits for it remains a
    /// task of volt.
    ///
    /// Tasks of `tokio::spawn` run on that one thread, and are not in a [`dump`](Handle::dump). The
    /// thread is in this runtime, so these tasks can call [`spawn`](crate::spawn) and
    /// [`Handle::current`], for example to run work on several threads.
    ///
    /// A paused clock of this runtime does not pause the clock of tokio. The tokio runtime is shut
    /// down, without waiting, when the last handle of this runtime is dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let runtime = volt::Runtime::builder().tokio_context().build()?;
    /// runtime.block_on(async {
    ///     tokio::time::sleep(Duration::from_millis(1)).await;
    /// });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "tokio")]
    pub fn tokio_context(mut self) -> Self {
        self.tokio_context = true;
        self
    }

    #[cfg(feature = "tokio")]
    pub(super) fn start_tokio(&self) -> io::Result<TokioContext> {
        if !self.tokio_context {
            return Ok(TokioContext::default());
        }
        TokioContext::start(&self.thread_name)
    }

    #[cfg(not(feature = "tokio"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "same signature as with the feature"
    )]
    pub(super) fn start_tokio(&self) -> io::Result<TokioContext> {
        Ok(TokioContext)
    }
}

impl Handle {
    /// Enters this runtime on the threads of the tokio runtime, if there is one.
    pub(super) fn enter_on_tokio_threads(&self) {
        // A strong reference would be a cycle: the threads of the tokio runtime own the closure.
        let tokio = self.tokio.downgrade();
        let (scheduler, blocking) = (self.scheduler.clone(), self.blocking.clone());
        self.tokio.call_on_threads(move || {
            let handle = Self::new(scheduler.clone(), blocking.clone(), tokio.clone());
            context::enter_handle(handle).stay();
        });
    }
}
