//! `SlowPoll`: the report of a poll that took longer than a limit.

use std::fmt;
use std::time::{Duration, Instant};

use crate::machine::State;
use crate::task::{TaskId, TaskInfo};

/// A poll that took at least as long as the limit of
/// [`Builder::on_slow_poll`](crate::Builder::on_slow_poll).
///
/// Its text names the task, the time, and the await at which the task waited before and after the
/// poll. So the slow code is between these two lines:
///
/// ```text
/// task 3.1 "parse" was polled for 200 ms on volt-worker-0, spawned at src/main.rs:41:20
///    before: Handle at await recv, src/main.rs:22:45
///    after: Handle at await sleep, src/main.rs:24:26
/// ```
#[derive(Clone, Debug)]
pub struct SlowPoll {
    task: TaskInfo,
    duration: Duration,
    before: Vec<&'static State>,
    ended: Instant,
}

impl SlowPoll {
    /// Creates a report from the task after its poll, and its states before.
    pub(crate) fn new(mut task: TaskInfo, duration: Duration, before: Vec<&'static State>) -> Self {
        task.thread = std::thread::current().name().map(Into::into);
        Self {
            task,
            duration,
            before,
            ended: Instant::now(),
        }
    }

    /// Returns the id of the task.
    #[must_use]
    pub fn id(&self) -> TaskId {
        self.task.id
    }

    /// Returns the name of the task, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.task.name.as_deref()
    }

    /// Returns the duration of the poll.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// Returns the time at which the poll ended.
    #[must_use]
    pub fn ended(&self) -> Instant {
        self.ended
    }

    /// Returns the states of the task's machines before the poll, the outermost first. Empty if the
    /// future is not a machine. In the first poll of the first machine of a type, it is also empty.
    #[must_use]
    pub fn before(&self) -> &[&'static State] {
        &self.before
    }

    /// Returns the states of the task's machines after the poll, the outermost first. Empty if the
    /// future is not a machine, if the task is complete, and if another worker polls it already.
    #[must_use]
    pub fn after(&self) -> &[&'static State] {
        &self.task.position
    }

    /// Returns information about the task after the poll. Its thread is the one of the poll.
    #[must_use]
    pub fn task(&self) -> &TaskInfo {
        &self.task
    }
}

impl fmt::Display for SlowPoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = &self.task;
        write!(f, "task {}", task.id)?;
        if let Some(name) = &task.name {
            write!(f, " {name:?}")?;
        }
        write!(f, " was polled for {} ms", self.duration.as_millis())?;
        if let Some(thread) = &task.thread {
            write!(f, " on {thread}")?;
        }
        write!(f, ", spawned at {}", task.location)?;
        for (when, states) in [("before", self.before()), ("after", self.after())] {
            if let Some(state) = states.last() {
                let (machine, name) = (state.machine, state.name);
                let (file, line, column) = (state.file, state.line, state.column);
                write!(
                    f,
                    "\n   {when}: {machine} at {name}, {file}:{line}:{column}"
                )?;
            }
        }
        Ok(())
    }
}
