//! The threads of a runtime: how many, and what they are like.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::builder::Builder;

/// # Threads
impl Builder {
    /// Sets the number of workers; by default one for each processor that this process may use.
    ///
    /// # Panics
    ///
    /// On zero.
    #[track_caller]
    pub fn worker_threads(mut self, count: usize) -> Self {
        let count = NonZeroUsize::new(count).expect("a runtime has at least one worker thread");
        self.workers = Some(count);
        self
    }

    /// Sets how the workers' threads are called, `volt-worker` by default: their index is
    /// appended.
    pub fn thread_name(mut self, name: impl Into<String>) -> Self {
        self.thread_name = name.into();
        self
    }

    /// Sets the size of the workers' stacks in bytes; by default the platform's. The threads of
    /// [`spawn_blocking`](crate::spawn_blocking) have a setting of their own:
    /// [`blocking_thread_stack_size`](Self::blocking_thread_stack_size).
    pub fn thread_stack_size(mut self, bytes: usize) -> Self {
        self.stack_size = Some(bytes);
        self
    }

    /// Sets the most threads that stand in for workers whose own threads block in a
    /// [`join`](crate::JoinHandle::join), 512 by default. They are started when they are needed, and
    /// end when the join is over.
    ///
    /// A join that finds all of them in use keeps its worker's place, whose tasks others take over. If
    /// it would block the last worker that is awake, it is refused: see
    /// [`JoinError::is_out_of_threads`](crate::JoinError::is_out_of_threads). So it is with zero, for
    /// every join that would do so.
    pub fn max_spare_threads(mut self, count: usize) -> Self {
        self.spare_threads = count;
        self
    }

    /// Sets the most threads that run blocking jobs at a time, 512 by default. More jobs wait.
    ///
    /// A job that awaits a waiting one, in a [`block_on`](crate::Handle::block_on) say, keeps its thread from
    /// it; one that [`join`](crate::JoinHandle::join)s it runs it.
    ///
    /// # Panics
    ///
    /// On zero.
    #[track_caller]
    pub fn max_blocking_threads(mut self, count: usize) -> Self {
        assert!(count > 0, "blocking jobs need at least one thread");
        self.blocking.threads = count;
        self
    }

    /// Sets how long a thread that has no blocking job to run is kept for the next one, 10 seconds by
    /// default. With [`Duration::MAX`] it is kept until the runtime ends.
    pub fn thread_keep_alive(mut self, limit: Duration) -> Self {
        self.blocking.keep_alive = limit;
        self
    }

    /// Sets the size of the stacks of the threads for blocking jobs, in bytes; by default the
    /// platform's.
    pub fn blocking_thread_stack_size(mut self, bytes: usize) -> Self {
        self.blocking.stack_size = Some(bytes);
        self
    }
}
