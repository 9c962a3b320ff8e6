//! Settings of the threads of a runtime.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::builder::Builder;

/// # Threads
impl Builder {
    /// Sets the number of workers. By default there is one for each processor that this process may
    /// use.
    ///
    /// # Panics
    ///
    /// Panics if the number is zero.
    #[track_caller]
    pub fn worker_threads(mut self, count: usize) -> Self {
        let count = NonZeroUsize::new(count).expect("a runtime has at least one worker thread");
        self.workers = Some(count);
        self
    }

    /// Sets the name of the threads of workers, `volt-worker` by default. The index of the worker
    /// is appended, as in `volt-worker-0`.
    pub fn thread_name(mut self, name: impl Into<String>) -> Self {
        self.thread_name = name.into();
        self
    }

    /// Sets the stack size of the threads of workers in bytes. By default it is that of the
    /// platform.
    ///
    /// The stack size of the threads for blocking jobs is
    /// [`blocking_thread_stack_size`](Self::blocking_thread_stack_size).
    pub fn thread_stack_size(mut self, bytes: usize) -> Self {
        self.stack_size = Some(bytes);
        self
    }

    /// Sets the maximum number of spare threads, 512 by default.
    ///
    /// A spare thread replaces the thread of a worker that blocks in a
    /// [`join`](crate::JoinHandle::join). It is started when it is needed, and ends after the join.
    ///
    /// If no spare thread is left, the worker blocks in the join, and other workers steal its
    /// tasks. A join that would block the last worker that is awake returns an error instead; see
    /// [`JoinError::is_out_of_threads`](crate::JoinError::is_out_of_threads).
    pub fn max_spare_threads(mut self, count: usize) -> Self {
        self.spare_threads = count;
        self
    }

    /// Sets the maximum number of threads for blocking jobs, 512 by default. Further jobs are
    /// queued.
    ///
    /// A job that awaits a queued job in [`block_on`](crate::Handle::block_on) occupies its thread
    /// meanwhile, so jobs can wait for each other's threads forever. A job that
    /// [`join`](crate::JoinHandle::join)s a queued job runs it instead.
    ///
    /// # Panics
    ///
    /// Panics if the number is zero.
    #[track_caller]
    pub fn max_blocking_threads(mut self, count: usize) -> Self {
        assert!(count > 0, "blocking jobs need at least one thread");
        self.blocking.threads = count;
        self
    }

    /// Sets how long an idle thread for blocking jobs waits for the next job before it ends, 10
    /// seconds by default. With [`Duration::MAX`] it waits until the runtime is shut down.
    pub fn thread_keep_alive(mut self, limit: Duration) -> Self {
        self.blocking.keep_alive = limit;
        self
    }

    /// Sets the stack size of the threads for blocking jobs in bytes. By default it is that of the
    /// platform.
    pub fn blocking_thread_stack_size(mut self, bytes: usize) -> Self {
        self.blocking.stack_size = Some(bytes);
        self
    }
}
