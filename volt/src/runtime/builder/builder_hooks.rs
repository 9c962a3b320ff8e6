//! Hooks: what a runtime tells of its threads and tasks.

use super::builder::Builder;
use crate::scheduler::Hooks;
use crate::task::{Orphan, TaskId};

/// # Hooks
///
/// They are called on the thread where the thing happens, which waits for them: be short. A hook
/// that panics is heard of by the panic hook and by nobody else; the others are called all the
/// same. What is not set costs nothing.
impl Builder {
    /// Sets what each worker's thread calls first; the threads of
    /// [`spawn_blocking`](crate::spawn_blocking) call
    /// [`on_blocking_thread_start`](Self::on_blocking_thread_start). If it panics, the worker goes on as if it
    /// had returned. As tasks may rely on that, threads that are not
    /// in the runtime do not poll what they [`join`](crate::JoinHandle::join) then.
    pub fn on_thread_start(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_start = Some(Box::new(hook));
        self
    }

    /// Sets what each worker's thread calls last.
    pub fn on_thread_stop(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_stop = Some(Box::new(hook));
        self
    }

    /// Sets what each thread for blocking jobs calls first, before its first job. The thread is in the
    /// runtime then. If the hook panics, the thread goes on as if it had returned.
    pub fn on_blocking_thread_start(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.blocking.on_start = Some(Box::new(hook));
        self
    }

    /// Sets what each thread for blocking jobs calls last: after it was
    /// [idle](Self::thread_keep_alive) for too long, or as the runtime ends. The end of the runtime does
    /// not wait for this hook.
    pub fn on_blocking_thread_stop(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.blocking.on_stop = Some(Box::new(hook));
        self
    }

    /// Sets what a worker calls before it sleeps. What it spawns or wakes is run first.
    pub fn on_thread_park(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.park = Some(Box::new(hook)))
    }

    /// Sets what a worker calls after it has slept.
    pub fn on_thread_unpark(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.unpark = Some(Box::new(hook)))
    }

    /// Sets what is called for each task that is spawned, before it can run, by its spawner.
    ///
    /// Blocking jobs are no tasks in this sense.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicI32, Ordering};
    ///
    /// let alive = Arc::new(AtomicI32::new(0));
    /// let (more, less) = (Arc::clone(&alive), Arc::clone(&alive));
    /// let runtime = volt::Builder::new()
    ///     .on_task_spawn(move |_task| _ = more.fetch_add(1, Ordering::Relaxed))
    ///     .on_task_terminate(move |_task| _ = less.fetch_sub(1, Ordering::Relaxed))
    ///     .build()?;
    /// let task = runtime.spawn(std::future::pending::<()>());
    /// assert_eq!(alive.load(Ordering::Relaxed), 1);
    /// drop(runtime);
    /// assert_eq!(alive.load(Ordering::Relaxed), 0);
    /// # drop(task);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn on_task_spawn(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.spawn = Some(Box::new(hook)))
    }

    /// Sets what is called for each task that ends, however it ends: its future is dropped by
    /// then, and whoever joins it does not know yet.
    pub fn on_task_terminate(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.terminate = Some(Box::new(hook)))
    }

    /// Sets what is called before a task is polled, or found to be cancelled: by its worker, or by
    /// whoever [joins](crate::JoinHandle::join) it and so polls it.
    pub fn before_poll(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.before_poll = Some(Box::new(hook)))
    }

    /// Sets what is called after a task was polled, by the same thread, also when the task has
    /// panicked. The task may be complete, or be run by another worker already. A poll inside of
    /// another one's, by a join, is told of in between.
    pub fn after_poll(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.after_poll = Some(Box::new(hook)))
    }

    /// Sets what is called with each task that nobody can wake, once a task.
    ///
    /// It is called on the thread that polled the task or dropped its last waker, which may hold
    /// whatever locks: be short, and wait for nothing. If it panics, nobody else hears of that.
    pub fn on_orphan(mut self, hook: impl Fn(&Orphan) + Send + Sync + 'static) -> Self {
        self.on_orphan = Some(Box::new(hook));
        self
    }

    fn hook(mut self, set: impl FnOnce(&mut Hooks)) -> Self {
        set(self.hooks.get_or_insert_default());
        self
    }
}
