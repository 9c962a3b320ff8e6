//! The tokio runtime of a runtime, for libraries that require tokio.
//!
//! ```text
//!   Builder::tokio_context ──► one thread drives tokio's reactor and timers
//!          │                        ▲
//!          ▼                        │ it wakes tasks of volt by their wakers
//!   threads of volt are in it ──────┘
//! ```
//!
//! Timers and sockets of tokio, and `tokio::spawn`, find their runtime in a thread-local. So each
//! thread that is in a runtime of volt is also in its tokio runtime. It enters once a thread, not
//! once a poll. The threads of the tokio runtime are in the runtime of volt, so that a task of
//! `tokio::spawn` can call `volt::spawn`. The tokio runtime starts first, so its threads wait for
//! the runtime of volt before they run tasks and jobs. Without the feature, the types here are
//! empty.

#[cfg(feature = "tokio")]
pub(super) use self::with::{TokioContext, TokioGuard};
#[cfg(not(feature = "tokio"))]
pub(super) use self::without::{TokioContext, TokioGuard};

#[cfg(feature = "tokio")]
mod with {
    use std::fmt;
    use std::io;

    use crate::loom::sync::{Arc, Condvar, Mutex};
    use crate::task::set_tokio_context;
    use std::sync::Weak;

    /// The tokio runtime of a runtime, if it has one. The last owning `TokioContext` shuts it down.
    #[derive(Clone, Default)]
    pub(crate) struct TokioContext(Option<TokioRef>);

    /// Keeps a thread in the tokio runtime, if there is one.
    pub(crate) struct TokioGuard<'a> {
        _entered: Option<EnteredTokio<'a>>,
    }

    struct EnteredTokio<'a> {
        _guard: tokio::runtime::EnterGuard<'a>,
        was_in_context: bool,
    }

    #[derive(Clone)]
    struct TokioRef {
        handle: tokio::runtime::Handle,
        owner: Option<Arc<OwnedTokioRuntime>>,
        running: Weak<OwnedTokioRuntime>,
    }

    struct OwnedTokioRuntime {
        /// Present until the drop.
        runtime: Option<tokio::runtime::Runtime>,
        thread_start: ThreadStart,
    }

    /// The hook for each thread of the tokio runtime. It references both runtimes, so it is removed
    /// at shutdown.
    #[derive(Clone)]
    struct ThreadStart(Arc<ThreadStartState>);

    struct ThreadStartState {
        hook: Mutex<StartHook>,
        is_set: Condvar,
    }

    enum StartHook {
        /// The runtime of volt does not exist yet.
        Awaited,
        Set(Arc<dyn Fn() + Send + Sync>),
        Removed,
    }

    impl ThreadStart {
        fn new() -> Self {
            Self(Arc::new(ThreadStartState {
                hook: Mutex::new(StartHook::Awaited),
                is_set: Condvar::new(),
            }))
        }

        /// Waits for the hook and calls it. Any thread may run the first task or job, so each
        /// thread waits.
        fn call(&self) {
            let mut hook = self.0.hook.lock();
            while matches!(*hook, StartHook::Awaited) {
                hook = self.0.is_set.wait(hook, None);
            }
            let StartHook::Set(set) = &*hook else { return };
            let set = Arc::clone(set);
            drop(hook);
            set();
        }

        fn set(&self, hook: StartHook) {
            let former = std::mem::replace(&mut *self.0.hook.lock(), hook);
            self.0.is_set.notify_all();
            drop(former);
        }
    }

    impl TokioContext {
        /// # Errors
        ///
        /// Returns an error if the system starts no thread, or grants no descriptors.
        pub(crate) fn start(thread_name: &str) -> io::Result<Self> {
            let thread_start = ThreadStart::new();
            let at_start = thread_start.clone();
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name(format!("{thread_name}-tokio"))
                .on_thread_start(move || at_start.call())
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

        /// Calls `hook` on each thread of the tokio runtime before its first task or job.
        pub(crate) fn call_on_threads(&self, hook: impl Fn() + Send + Sync + 'static) {
            if let Some(running) = self.0.as_ref().and_then(|tokio| tokio.owner.as_deref()) {
                running.thread_start.set(StartHook::Set(Arc::new(hook)));
            }
        }

        /// Returns a context that does not own the tokio runtime.
        pub(crate) fn downgrade(&self) -> Self {
            Self(self.0.as_ref().map(|tokio| TokioRef {
                owner: None,
                ..tokio.clone()
            }))
        }

        /// Returns a context that owns the tokio runtime, unless it was shut down.
        pub(crate) fn upgrade(&self) -> Self {
            Self(self.0.as_ref().map(|tokio| TokioRef {
                owner: tokio.running.upgrade(),
                ..tokio.clone()
            }))
        }

        pub(crate) fn enter(&self) -> TokioGuard<'_> {
            let entered = self.0.as_ref().map(|tokio| EnteredTokio {
                _guard: tokio.handle.enter(),
                was_in_context: set_tokio_context(true),
            });
            TokioGuard { _entered: entered }
        }

        /// Enters the tokio runtime until the thread ends.
        pub(crate) fn stay(&self) {
            std::mem::forget(self.enter());
        }
    }

    impl Drop for EnteredTokio<'_> {
        fn drop(&mut self) {
            set_tokio_context(self.was_in_context);
        }
    }

    impl Drop for OwnedTokioRuntime {
        /// Does not wait for the threads, because a task of the tokio runtime may drop it.
        fn drop(&mut self) {
            self.thread_start.set(StartHook::Removed);
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
    /// Without the feature there is no tokio runtime.
    #[derive(Clone, Debug, Default)]
    pub(crate) struct TokioContext;

    /// An empty guard.
    pub(crate) type TokioGuard<'a> = std::marker::PhantomData<&'a ()>;

    impl TokioContext {
        #[expect(clippy::unused_self, reason = "same signature as with the feature")]
        pub(crate) fn call_on_threads(&self, _: impl Fn() + Send + Sync + 'static) {}

        pub(crate) fn downgrade(&self) -> Self {
            self.clone()
        }

        pub(crate) fn upgrade(&self) -> Self {
            self.clone()
        }

        #[expect(clippy::unused_self, reason = "same signature as with the feature")]
        pub(crate) fn enter(&self) -> TokioGuard<'_> {
            std::marker::PhantomData
        }

        #[expect(clippy::unused_self, reason = "same signature as with the feature")]
        pub(crate) fn stay(&self) {}
    }
}
