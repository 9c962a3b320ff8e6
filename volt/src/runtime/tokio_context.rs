//! A tokio runtime beside ours, for libraries that ask for one.
//!
//! ```text
//!   Builder::tokio_context ──► one thread drives tokio's reactor and timers
//!          │                        ▲
//!          ▼                        │ tokio's own wakers wake our tasks
//!   threads of ours are "in" it ────┘
//! ```
//!
//! The threads of tokio's runtime are in ours in turn, so that a task of `tokio::spawn` finds
//! `volt::spawn`.
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

    use crate::loom::sync::{Arc, Mutex};
    use std::sync::Weak;

    /// The tokio runtime of a runtime of ours, if it has one. It ends with the last of these that
    /// owns it.
    #[derive(Clone, Default)]
    pub(crate) struct TokioContext(Option<TokioRef>);

    /// Keeps a thread in tokio's runtime.
    pub(crate) type TokioGuard<'a> = Option<tokio::runtime::EnterGuard<'a>>;

    #[derive(Clone)]
    struct TokioRef {
        handle: tokio::runtime::Handle,
        owner: Option<Arc<OwnedTokioRuntime>>,
        running: Weak<OwnedTokioRuntime>,
    }

    struct OwnedTokioRuntime {
        /// There until the drop.
        runtime: Option<tokio::runtime::Runtime>,
        thread_start: ThreadStart,
    }

    /// Called on each thread of tokio's runtime. It leads back to our runtime and to tokio's, so it
    /// is taken out at the end.
    #[derive(Clone)]
    struct ThreadStart(Arc<Mutex<Option<ThreadStartHook>>>);

    type ThreadStartHook = Arc<dyn Fn() + Send + Sync>;

    impl ThreadStart {
        fn call(&self) {
            let hook = self.0.lock().clone();
            if let Some(hook) = hook {
                hook();
            }
        }
    }

    impl TokioContext {
        /// # Errors
        ///
        /// Fails when the system grants no thread, or no descriptors.
        pub(crate) fn start(thread_name: &str) -> io::Result<Self> {
            let thread_start = ThreadStart(Arc::new(Mutex::new(None)));
            let begins = thread_start.clone();
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name(format!("{thread_name}-tokio"))
                .on_thread_start(move || begins.call())
                .enable_all()
                .build()?;
            let handle = runtime.handle().clone();
            let running = Arc::new(OwnedTokioRuntime {
                runtime: Some(runtime),
                thread_start,
            });
            Ok(Self(Some(TokioRef {
                handle,
                running: Arc::downgrade(&running),
                owner: Some(running),
            })))
        }

        /// Calls `hook` on each thread of tokio's runtime, before its first task: on the one that
        /// is there, and on those to come. `hook` may be called twice on one thread.
        pub(crate) fn call_on_threads(&self, hook: impl Fn() + Send + Sync + 'static) {
            let Some(running) = self.0.as_ref().and_then(|tokio| tokio.owner.as_deref()) else {
                return;
            };
            *running.thread_start.0.lock() = Some(Arc::new(hook));
            // The thread that is there may have begun before.
            let thread_start = running.thread_start.clone();
            if let Some(runtime) = &running.runtime {
                drop(runtime.spawn(async move { thread_start.call() }));
            }
        }

        /// One that does not own tokio's runtime.
        pub(crate) fn downgrade(&self) -> Self {
            Self(self.0.as_ref().map(|tokio| TokioRef {
                owner: None,
                ..tokio.clone()
            }))
        }

        /// One that owns tokio's runtime, unless that has ended.
        pub(crate) fn upgrade(&self) -> Self {
            Self(self.0.as_ref().map(|tokio| TokioRef {
                owner: tokio.running.upgrade(),
                ..tokio.clone()
            }))
        }

        pub(crate) fn enter(&self) -> TokioGuard<'_> {
            self.0.as_ref().map(|tokio| tokio.handle.enter())
        }

        /// Enters until the thread ends.
        pub(crate) fn stay(&self) {
            std::mem::forget(self.enter());
        }
    }

    impl Drop for OwnedTokioRuntime {
        /// Waits for nobody: the last who drops it may be a task.
        fn drop(&mut self) {
            let hook = self.thread_start.0.lock().take();
            drop(hook);
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
        pub(crate) fn call_on_threads(&self, _: impl Fn() + Send + Sync + 'static) {}

        pub(crate) fn downgrade(&self) -> Self {
            self.clone()
        }

        pub(crate) fn upgrade(&self) -> Self {
            self.clone()
        }

        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(crate) fn enter(&self) -> TokioGuard<'_> {
            std::marker::PhantomData
        }

        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(crate) fn stay(&self) {}
    }
}
