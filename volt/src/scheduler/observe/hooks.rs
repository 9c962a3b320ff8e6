//! The hooks of the user, and the calls of them.
//!
//! A scheduler without hooks reads one pointer for each poll and each spawn. A panic in a hook is
//! reported as any other panic, and goes no further.

use std::fmt;
use std::time::{Duration, Instant};

use super::slow_poll::SlowPoll;
use crate::task::{RunOutcome, Runnable, TaskId, TaskRef};
use crate::util::catch_and_discard;

/// A hook that is called on a worker's thread.
pub(crate) type Hook = Box<dyn Fn() + Send + Sync>;

/// A hook that is called with a task.
pub(crate) type TaskHook = Box<dyn Fn(TaskId) + Send + Sync>;

/// A hook that is called with a poll that took longer than the limit.
pub(crate) type SlowPollHook = Box<dyn Fn(&SlowPoll) + Send + Sync>;

/// The timing of polls by a worker.
#[derive(Default)]
pub(crate) enum PollTiming {
    /// Samples of polls are timed.
    #[default]
    Sampled,
    /// Each poll is timed.
    Exact,
    /// Each poll is timed, and the hook is called with polls that reach the limit.
    Reported(Duration, SlowPollHook),
}

/// The hooks of a scheduler; each of them is optional.
#[derive(Default)]
pub(crate) struct Hooks {
    /// Called before a worker sleeps.
    pub(crate) park: Option<Hook>,
    /// Called after a worker has slept.
    pub(crate) unpark: Option<Hook>,
    /// Called with a new task, before it is queued.
    pub(crate) spawn: Option<TaskHook>,
    /// Called with a complete task: its future is dropped, and its handle is not notified yet.
    pub(crate) terminate: Option<TaskHook>,
    /// Called before a task is polled on this thread.
    pub(crate) before_poll: Option<TaskHook>,
    /// Called after the poll.
    pub(crate) after_poll: Option<TaskHook>,
    /// The timing of polls.
    pub(crate) poll_timing: PollTiming,
}

impl Hooks {
    /// Returns `true` if each poll is timed, not only samples.
    pub(crate) fn times_each_poll(&self) -> bool {
        !matches!(self.poll_timing, PollTiming::Sampled)
    }

    /// Polls the task between its two hooks. Returns the time of the poll if each poll is timed.
    #[cold]
    pub(crate) fn poll_with_hooks(&self, task: Runnable) -> (RunOutcome, Option<Duration>) {
        match &self.poll_timing {
            PollTiming::Sampled => (self.run(task, || ()), None),
            PollTiming::Exact => self.run_timed(task),
            PollTiming::Reported(limit, _) => self.run_reported(task, *limit),
        }
    }

    fn run(&self, task: Runnable, begin: impl FnOnce()) -> RunOutcome {
        let id = task.id();
        let ran = task.run_after(|| {
            call_task_hook(&self.before_poll, id);
            begin();
        });
        self.end(&ran, id);
        ran
    }

    fn end(&self, ran: &RunOutcome, task: TaskId) {
        // The entry is stale: another thread has polled the task, and called its hooks.
        if !matches!(ran, RunOutcome::Stale) {
            call_task_hook(&self.after_poll, task);
        }
    }

    fn run_timed(&self, task: Runnable) -> (RunOutcome, Option<Duration>) {
        let id = task.id();
        let mut began = None;
        let ran = task.run_after(|| {
            call_task_hook(&self.before_poll, id);
            began = Some(Instant::now());
        });
        let time = began.map(|began| began.elapsed());
        self.end(&ran, id);
        (ran, time)
    }

    fn run_reported(&self, task: Runnable, limit: Duration) -> (RunOutcome, Option<Duration>) {
        let WatchedPoll { ran, time, .. } = poll_watched(Some(self), task, limit);
        (ran, time)
    }

    /// Calls the hook of slow polls if the poll reaches its limit.
    fn report(&self, slow: &SlowPoll) {
        if let PollTiming::Reported(limit, hook) = &self.poll_timing
            && slow.duration() >= *limit
        {
            catch_and_discard(|| hook(slow));
        }
    }

    /// Returns the least duration of a poll that is reported to the hook of slow polls.
    fn report_limit(&self) -> Option<Duration> {
        match &self.poll_timing {
            PollTiming::Reported(limit, _) => Some(*limit),
            PollTiming::Sampled | PollTiming::Exact => None,
        }
    }
}

/// A poll that was timed.
pub(crate) struct WatchedPoll {
    pub(crate) ran: RunOutcome,
    /// The duration of the poll. `None` if the entry was stale.
    pub(crate) time: Option<Duration>,
    /// The report of the poll if it took at least as long as the limit of the caller.
    pub(crate) slow: Option<SlowPoll>,
}

/// Polls the task between its hooks, if there are any, and reads its states before the poll.
#[cold]
pub(crate) fn poll_watched(hooks: Option<&Hooks>, task: Runnable, limit: Duration) -> WatchedPoll {
    let (id, polled) = (task.id(), TaskRef::of(&task));
    let mut began = None;
    let ran = task.run_traced(|before| {
        if let Some(hooks) = hooks {
            call_task_hook(&hooks.before_poll, id);
        }
        began = Some((Instant::now(), before));
    });
    let timed = began.map(|(began, before)| (began.elapsed(), before));
    if let Some(hooks) = hooks {
        hooks.end(&ran, id);
    }
    let Some((time, before)) = timed else {
        let (time, slow) = (None, None);
        return WatchedPoll { ran, time, slow };
    };
    let reported = hooks.and_then(Hooks::report_limit);
    let least = reported.map_or(limit, |reported| reported.min(limit));
    let slow = (time >= least).then(|| SlowPoll::new(polled.inspect(), time, before));
    if let (Some(hooks), Some(slow)) = (hooks, &slow) {
        hooks.report(slow);
    }
    WatchedPoll {
        ran,
        time: Some(time),
        slow: slow.filter(|_| time >= limit),
    }
}

pub(crate) fn call_task_hook(hook: &Option<TaskHook>, task: TaskId) {
    if let Some(hook) = hook {
        catch_and_discard(|| hook(task));
    }
}

pub(crate) fn call_hook(hook: &Option<Hook>) {
    if let Some(hook) = hook {
        catch_and_discard(hook);
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks").finish_non_exhaustive()
    }
}
