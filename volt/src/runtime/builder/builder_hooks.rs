//! Hooks: functions of the user that a runtime calls for events of its threads and tasks.

use std::time::Duration;

use super::builder::Builder;
use crate::scheduler::{Hooks, PollTiming, SlowPoll};
use crate::task::{Orphan, TaskId};

/// # Hooks
///
/// The runtime calls a hook on the thread of the event, which waits for it, so hooks should be
/// short. If a hook panics, only the panic hook of the process reports it, and the runtime goes on.
/// By default no hook is set; a hook that is not set costs nothing.
impl Builder {
    /// Sets a hook that each thread of a worker calls first.
    ///
    /// Tasks may rely on the effect of this hook. So with this hook, a thread that is not a worker
    /// does not poll a task that it [`join`](crate::JoinHandle::join)s. Threads for blocking jobs
    /// call [`on_blocking_thread_start`](Self::on_blocking_thread_start) instead.
    pub fn on_thread_start(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_start = Some(Box::new(hook));
        self
    }

    /// Sets a hook that each thread of a worker calls last.
    pub fn on_thread_stop(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.on_stop = Some(Box::new(hook));
        self
    }

    /// Sets a hook that each thread for blocking jobs calls before its first job. The thread is in
    /// the runtime then.
    pub fn on_blocking_thread_start(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.blocking.on_start = Some(Box::new(hook));
        self
    }

    /// Sets a hook that each thread for blocking jobs calls last: when it ends after its
    /// [keep-alive time](Self::thread_keep_alive), or at shutdown. Shutdown does not wait for this
    /// hook.
    pub fn on_blocking_thread_stop(mut self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.blocking.on_stop = Some(Box::new(hook));
        self
    }

    /// Sets a hook that a worker calls before it sleeps. If the hook spawns or wakes tasks, the
    /// worker runs them before it sleeps.
    pub fn on_thread_park(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.park = Some(Box::new(hook)))
    }

    /// Sets a hook that a worker calls after each sleep.
    pub fn on_thread_unpark(self, hook: impl Fn() + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.unpark = Some(Box::new(hook)))
    }

    /// Sets a hook for each spawned task. The spawning thread calls it before the task can run.
    ///
    /// It is not called for blocking jobs.
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

    /// Sets a hook for each task that ends: by completion, by a panic, or by cancellation. The
    /// future is already dropped, and the joiner of the task is not woken yet.
    pub fn on_task_terminate(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.terminate = Some(Box::new(hook)))
    }

    /// Sets a hook that is called before each poll of a task, and before a worker drops the future
    /// of a cancelled task. The polling thread calls it: a worker, or a thread that
    /// [joins](crate::JoinHandle::join) the task.
    pub fn before_poll(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.before_poll = Some(Box::new(hook)))
    }

    /// Sets a hook that the polling thread calls after each poll of a task, even if the task has
    /// panicked. The task may be complete by then, or already run on another worker. If a task
    /// joins and so polls another task, the hooks of the inner poll are called inside the outer
    /// poll.
    pub fn after_poll(self, hook: impl Fn(TaskId) + Send + Sync + 'static) -> Self {
        self.hook(|hooks| hooks.after_poll = Some(Box::new(hook)))
    }

    /// Sets a hook for each poll of a task that takes at least `limit`. Without this hook, polls
    /// are only sampled; see [`PollTimes`](crate::runtime::PollTimes).
    ///
    /// The worker that polled the task calls the hook after the poll, and after the hook of
    /// [`after_poll`](Self::after_poll). It holds no lock of the runtime, so the hook may spawn
    /// tasks and take a [dump](crate::Handle::dump). Polls by threads that are not workers of this
    /// runtime are not reported. A poll that never returns is not reported either: a dump shows it.
    ///
    /// With this hook, each poll reads the clock twice and the states of its task once. This took
    /// 0.4 microseconds for each poll on a virtual machine.
    /// [`Stats::poll_times`](crate::runtime::Stats::poll_times) is exact then.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let runtime = volt::Builder::new()
    ///     .on_slow_poll(Duration::from_millis(100), |slow_poll| eprintln!("{slow_poll}"))
    ///     .build()?;
    /// # drop(runtime);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn on_slow_poll(
        self,
        limit: Duration,
        hook: impl Fn(&SlowPoll) + Send + Sync + 'static,
    ) -> Self {
        let timing = PollTiming::Reported(limit, Box::new(hook));
        self.hook(|hooks| hooks.poll_timing = timing)
    }

    /// Sets whether workers time each poll for
    /// [`Stats::poll_times`](crate::runtime::Stats::poll_times), `false` by default. Each poll then
    /// reads the clock twice, which took 0.2 microseconds on a virtual machine. By default, polls
    /// are sampled.
    ///
    /// [`on_slow_poll`](Self::on_slow_poll) also times each poll, whatever is set here.
    pub fn exact_poll_times(mut self, exact: bool) -> Self {
        self.exact_poll_times = exact;
        self
    }

    /// Sets a hook for each orphan, a task that waits although no waker for it exists; see
    /// [`orphans`](Self::orphans). It is called at most once for each task.
    ///
    /// The thread that polled the task, or dropped its last waker, calls the hook. This thread may
    /// hold locks of the program, so the hook must not block.
    pub fn on_orphan(mut self, hook: impl Fn(&Orphan) + Send + Sync + 'static) -> Self {
        self.on_orphan = Some(Box::new(hook));
        self
    }

    /// Returns the hooks for the scheduler.
    pub(super) fn take_hooks(&mut self) -> Option<Box<Hooks>> {
        let hooks = self.hooks.take();
        if !self.exact_poll_times {
            return hooks;
        }
        let mut hooks = hooks.unwrap_or_default();
        if !hooks.times_each_poll() {
            hooks.poll_timing = PollTiming::Exact;
        }
        Some(hooks)
    }

    fn hook(mut self, set: impl FnOnce(&mut Hooks)) -> Self {
        set(self.hooks.get_or_insert_default());
        self
    }
}
