//! A tokio runtime beside ours, for libraries that ask for one.
//!
//! ```text
//!   Builder::tokio_context ──► one thread drives tokio's reactor and timers
//!          │                        ▲
//!          ▼                        │ tokio's own wakers wake our tasks
//!   threads of ours are "in" it ────┘
//! ```
//!
//! tokio's timers, sockets and `tokio::spawn` look for their runtime in a thread-local. So every thread
//! of ours, while it is in our runtime, is in tokio's as well: entered once a thread, and not once a
//! poll. Without the feature this is empty, and costs nothing.

#[cfg(feature = "tokio")]
pub(super) use self::with::{TokioContext, TokioGuard};
#[cfg(not(feature = "tokio"))]
pub(super) use self::without::{TokioContext, TokioGuard};

#[cfg(feature = "tokio")]
mod with {
    use std::fmt;
    use std::io;

    use crate::loom::sync::Arc;

    /// The tokio runtime of a runtime of ours, if it has one. It ends with the last of these.
    #[derive(Clone, Default)]
    pub(crate) struct TokioContext(Option<Arc<Running>>);

    /// Keeps a thread in tokio's runtime.
    pub(crate) type TokioGuard<'a> = Option<tokio::runtime::EnterGuard<'a>>;

    struct Running {
        /// There until the drop.
        runtime: Option<tokio::runtime::Runtime>,
    }

    impl TokioContext {
        /// # Errors
        ///
        /// Fails when the system grants no thread, or no descriptors.
        pub(crate) fn start(thread_name: &str) -> io::Result<Self> {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name(format!("{thread_name}-tokio"))
                .enable_all()
                .build()?;
            Ok(Self(Some(Arc::new(Running {
                runtime: Some(runtime),
            }))))
        }

        pub(crate) fn enter(&self) -> TokioGuard<'_> {
            let running = self.0.as_deref()?;
            running.runtime.as_ref().map(tokio::runtime::Runtime::enter)
        }

        /// Enters until the thread ends.
        pub(crate) fn stay(&self) {
            std::mem::forget(self.enter());
        }
    }

    impl Drop for Running {
        /// Waits for nobody: the last who drops it may be a task.
        fn drop(&mut self) {
            if let Some(runtime) = self.runtime.take() {
                runtime.shutdown_background();
            }
        }
    }

    impl fmt::Debug for TokioContext {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_tuple("TokioContext")
                .field(&self.0.is_some())
                .finish()
        }
    }
}

#[cfg(not(feature = "tokio"))]
mod without {
    /// There is none without the feature.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct TokioContext;

    /// Keeps a thread in nothing.
    pub(crate) type TokioGuard<'a> = std::marker::PhantomData<&'a ()>;

    impl TokioContext {
        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(crate) fn enter(&self) -> TokioGuard<'_> {
            std::marker::PhantomData
        }

        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(crate) fn stay(&self) {}
    }
}
