//! Whether a runtime has one of tokio beside it.

use std::io;

use super::builder::Builder;
use super::tokio_context::TokioContext;

impl Builder {
    /// Starts a small tokio runtime beside this one, and has every poll, every blocking job and every
    /// `block_on` find it.
    ///
    /// So libraries that are written for tokio run as they are: reqwest, sqlx, tonic's transport,
    /// `tower`'s timeouts and buffers, tokio's own timers and sockets, and what they `tokio::spawn`. One
    /// thread, `..-tokio`, drives tokio's reactor; the tasks of volt that wait for it stay volt's.
    ///
    /// A clock that is paused here is not paused there. The tokio runtime ends with the last handle
    /// of this one; it waits for nobody.
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
        match self.tokio_context {
            true => TokioContext::start(&self.thread_name),
            false => Ok(TokioContext::default()),
        }
    }

    #[cfg(not(feature = "tokio"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as with the feature"
    )]
    pub(super) fn start_tokio(&self) -> io::Result<TokioContext> {
        Ok(TokioContext)
    }
}
