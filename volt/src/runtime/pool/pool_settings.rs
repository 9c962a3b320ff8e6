//! The settings of a pool for blocking jobs.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// A hook of the pool's threads.
pub(in crate::runtime) type ThreadHook = Box<dyn Fn() + Send + Sync>;

/// The number of threads, how long an idle one stays, and what the threads are like.
pub(in crate::runtime) struct PoolSettings {
    pub(in crate::runtime) threads: usize,
    pub(in crate::runtime) keep_alive: Duration,
    pub(in crate::runtime) stack_size: Option<usize>,
    pub(in crate::runtime) on_start: Option<ThreadHook>,
    pub(in crate::runtime) on_stop: Option<ThreadHook>,
}

impl Default for PoolSettings {
    fn default() -> Self {
        Self {
            threads: 512,
            keep_alive: Duration::from_secs(10),
            stack_size: None,
            on_start: None,
            on_stop: None,
        }
    }
}

impl fmt::Debug for PoolSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolSettings")
            .field("threads", &self.threads)
            .field("keep_alive", &self.keep_alive)
            .field("stack_size", &self.stack_size)
            .finish_non_exhaustive()
    }
}

/// Calls a hook, whose panic reaches the panic hook only.
pub(in crate::runtime) fn call_hook(hook: Option<&ThreadHook>) {
    if let Some(hook) = hook {
        // The payload is foreign: its destructor may panic too.
        std::mem::forget(catch_unwind(AssertUnwindSafe(hook)));
    }
}
