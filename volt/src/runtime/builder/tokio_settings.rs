//! Whether a runtime has one of tokio beside it.

use std::io;

use super::builder::Builder;
use crate::runtime::context;
use crate::runtime::handle::Handle;
use crate::runtime::tokio_context::TokioContext;

impl Builder {
    /// Starts a small tokio runtime beside this one, and has every poll, every blocking job and every
    /// `block_on` find it.
    ///
    /// So libraries that are written for tokio run as they are: reqwest, sqlx, tonic's transport,
    /// `tower`'s timeouts and buffers, tokio's own timers and sockets, and what they `tokio::spawn`. One
    /// thread, `..-tokio`, drives tokio's reactor; the tasks of volt that wait for it stay volt's.
    ///
    /// Tasks of `tokio::spawn` are tokio's: they run on that one thread, without stealing, and no
    /// [`dump`](Handle::dump) lists them. The thread is in this runtime, so [`spawn`](crate::spawn)
    /// and [`Handle::current`] work in them; spawn what needs more than one thread with those.
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

impl Handle {
    /// Takes the threads of tokio's runtime, if there is one, into this runtime.
    pub(super) fn enter_on_tokio_threads(&self) {
        // It must not keep tokio's runtime, whose threads have it.
        let tokio = self.tokio.downgrade();
        let (scheduler, blocking) = (self.scheduler.clone(), self.blocking.clone());
        self.tokio.call_on_threads(move || {
            if context::try_with(|_| ()).is_none() {
                let handle = Self::new(scheduler.clone(), blocking.clone(), tokio.clone());
                context::enter_handle(handle).stay();
            }
        });
    }
}
