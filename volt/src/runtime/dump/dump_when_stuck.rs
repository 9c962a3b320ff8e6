//! `Handle::dump_when_stuck`: a dump when a runtime makes no progress.
//!
//! A separate thread reads the counters of the workers four times in each period of the limit. It
//! takes a dump only if these counters show no progress.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::dump::Dump;
use crate::loom::sync::{Arc, Condvar, Mutex};
use crate::loom::thread;
use crate::runtime::handle::Handle;
use crate::scheduler::WorkerProgress;
use crate::task::{Lifecycle, TaskId};
use crate::util::catch_and_discard;

/// The report of a runtime that makes no progress; see [`Handle::dump_when_stuck`].
///
/// Its text is a line with the cause, and then the dump.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StuckReport {
    /// The reason for the report.
    pub cause: StuckCause,
    /// The tasks of the runtime.
    pub dump: Dump,
    limit: Duration,
}

/// The reason for a [`StuckReport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StuckCause {
    /// A worker is in one poll of this task for at least the limit.
    LongPoll(TaskId),
    /// No worker has polled a task for at least the limit, and no timer, socket or blocking job of
    /// the runtime can wake one.
    NoWakeup,
}

impl fmt::Display for StuckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit.as_millis();
        match self.cause {
            StuckCause::LongPoll(task) => {
                write!(f, "stuck: a poll of task {task} takes over {limit} ms")?;
            }
            StuckCause::NoWakeup => write!(
                f,
                "stuck: no task was polled for {limit} ms, and no timer, socket or job can wake one"
            )?,
        }
        write!(f, "\n{}", self.dump)
    }
}

impl Handle {
    /// Calls `show` when the runtime is stuck for at least `limit`, until the runtime is dropped.
    /// [`Builder::dump_when_stuck`](crate::Builder::dump_when_stuck) does the same for a new
    /// runtime.
    ///
    /// A runtime is stuck in two cases:
    ///
    /// - A worker is in the same poll of a task for `limit`: the task computes, or blocks its
    ///   thread.
    /// - No worker has polled a task for `limit`, although tasks are alive, and nothing in the
    ///   runtime can wake one: it has no timer, no registered socket, and no blocking job. The
    ///   tasks wait for each other, or for a thread outside of the runtime.
    ///
    /// A runtime that waits for its sockets or timers is idle, and not stuck. Some tasks that wait
    /// for each other while others make progress are not found; the [dump](Self::dump) lists such
    /// cycles. For a [`LocalRuntime`](crate::LocalRuntime), the time outside of `block_on` does not
    /// count.
    ///
    /// A separate thread calls `show`, once for each poll or standstill. It looks four times in
    /// each `limit`, so `show` may be called a quarter later. If `show` panics, the panic hook
    /// reports it, and the thread continues. A process that forks keeps the thread; the child has
    /// none.
    ///
    /// # Errors
    ///
    /// Returns an error if the system starts no thread.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let runtime = volt::Runtime::new()?;
    /// let limit = Duration::from_secs(10);
    /// runtime.handle().dump_when_stuck(limit, |report| eprintln!("{report}"))?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn dump_when_stuck(
        &self,
        limit: Duration,
        mut show: impl FnMut(StuckReport) + Send + 'static,
    ) -> io::Result<()> {
        let runtime = self.clone();
        let end = Arc::new(StopFlag::new());
        let stop = Arc::clone(&end);
        thread::Builder::new()
            .name("volt-stuck".to_owned())
            .spawn(move || {
                let mut watch = ProgressWatch::new(limit);
                while !stop.wait(watch.period()) {
                    for cause in watch.check(&runtime, Instant::now()) {
                        let report = StuckReport {
                            cause,
                            dump: runtime.dump(),
                            limit,
                        };
                        catch_and_discard(|| show(report));
                    }
                }
            })?;
        self.blocking.companions().add(Box::new(move || end.set()));
        Ok(())
    }
}

/// A flag that ends the thread.
struct StopFlag {
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl StopFlag {
    fn new() -> Self {
        Self {
            is_set: Mutex::new(false),
            changed: Condvar::new(),
        }
    }

    fn set(&self) {
        *self.is_set.lock() = true;
        self.changed.notify_all();
    }

    /// Waits for at most `time`; returns `true` if the flag is set.
    fn wait(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut is_set = self.is_set.lock();
        while !*is_set {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            is_set = self.changed.wait_timeout(is_set, left).0;
        }
        true
    }
}

/// A value that is observed from time to time.
struct Observed<T> {
    value: T,
    since: Instant,
    is_reported: bool,
}

impl<T: PartialEq> Observed<T> {
    fn new(value: T, now: Instant) -> Self {
        Self {
            value,
            since: now,
            is_reported: false,
        }
    }

    /// Returns `true` if the value has not changed for `limit`, and that was not reported.
    fn is_unchanged_for(&mut self, limit: Duration, value: T, now: Instant) -> bool {
        if self.value != value {
            *self = Self::new(value, now);
        }
        !self.is_reported && now.saturating_duration_since(self.since) >= limit
    }
}

/// The progress of a runtime, as far as the thread has seen it.
struct ProgressWatch {
    limit: Duration,
    workers: Vec<Observed<WorkerProgress>>,
    /// The number of polls by all threads, while no worker polls and nothing can wake a task.
    standstill: Observed<Option<u64>>,
}

/// The bounds of the time between two checks.
const SHORTEST_PERIOD: Duration = Duration::from_millis(1);
const LONGEST_PERIOD: Duration = Duration::from_secs(1);

impl ProgressWatch {
    fn new(limit: Duration) -> Self {
        Self {
            limit,
            workers: Vec::new(),
            standstill: Observed::new(None, Instant::now()),
        }
    }

    /// Returns the time between two checks.
    fn period(&self) -> Duration {
        (self.limit / 4).clamp(SHORTEST_PERIOD, LONGEST_PERIOD)
    }

    /// Returns the causes for which the runtime is stuck, each once.
    fn check(&mut self, runtime: &Handle, now: Instant) -> Vec<StuckCause> {
        let progress = runtime.scheduler.progress();
        let mut causes = self.long_polls(runtime, &progress, now);
        let standstill = standstill(runtime, &progress);
        if self
            .standstill
            .is_unchanged_for(self.limit, standstill, now)
            && standstill.is_some()
        {
            self.standstill.is_reported = true;
            causes.push(StuckCause::NoWakeup);
        }
        causes
    }

    fn long_polls(
        &mut self,
        runtime: &Handle,
        progress: &[WorkerProgress],
        now: Instant,
    ) -> Vec<StuckCause> {
        if self.workers.is_empty() {
            let workers = progress.iter().map(|worker| Observed::new(*worker, now));
            self.workers = workers.collect();
        }
        let mut causes = Vec::new();
        for (observed, worker) in self.workers.iter_mut().zip(progress) {
            let is_unchanged = observed.is_unchanged_for(self.limit, *worker, now);
            let Some(task) = worker.running.filter(|_| is_unchanged) else {
                continue;
            };
            observed.is_reported = true;
            // The worker of a local runtime that is not in `block_on` still has its last task.
            if is_running(runtime, task) {
                causes.push(StuckCause::LongPoll(task));
            }
        }
        causes
    }
}

fn is_running(runtime: &Handle, task: TaskId) -> bool {
    let mut is_running = false;
    runtime.scheduler.registry().for_each(|other| {
        is_running |= other.id() == task && other.inspect().lifecycle == Lifecycle::Running;
    });
    is_running
}

/// Returns the number of polls if no worker polls, tasks are alive, and nothing can wake one.
fn standstill(runtime: &Handle, progress: &[WorkerProgress]) -> Option<u64> {
    let (stats, driver) = (runtime.stats(), runtime.driver());
    let is_still = progress.iter().all(|worker| worker.running.is_none())
        && stats.alive > 0
        && driver.timers() == 0
        && driver.watches_nothing()
        && runtime.blocking.jobs().is_empty();
    is_still.then(|| stats.polled())
}
