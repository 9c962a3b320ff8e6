//! The settings of a pool for blocking jobs.

use crate::util::catch_and_discard;
use std::fmt;
use std::time::Duration;

/// A hook that each thread of the pool calls.
pub(in crate::runtime) type ThreadHook = Box<dyn Fn() + Send + Sync>;

/// The settings of the threads of a pool.
pub(in crate::runtime) struct PoolSettings {
    /// The maximum number of threads.
    pub(in crate::runtime) threads: usize,
    /// The time after which an idle thread ends.
    pub(in crate::runtime) keep_alive: Duration,
    /// In bytes.
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

/// Calls a hook. If it panics, only the panic hook of the process reports it.
pub(in crate::runtime) fn call_hook(hook: Option<&ThreadHook>) {
    if let Some(hook) = hook {
        catch_and_discard(hook);
    }
}
