//! A list of the live tasks, as text and as data.

use std::fmt;
use std::time::Duration;

use crate::scheduler;
use crate::task::{Lifecycle, TaskInfo, TaskRef};

/// Every live task of a runtime at about one moment.
///
/// Each task is looked at on its own, so the list is no snapshot of the whole. Its text has a
/// paragraph for each task, and for a machine a line for each machine that it is in:
///
/// ```text
/// task 17.1 "reader": idle, polled 3 times, last 25 ms ago, spawned at src/main.rs:10:9
///    Session at await read_frame, src/session.rs:52:30
///    in ReadFrame at await poll_fn, src/frame.rs:31:14
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Dump {
    tasks: Vec<TaskInfo>,
    now: u32,
}

impl Dump {
    pub(super) fn of(scheduler: &scheduler::Handle) -> Self {
        let mut tasks = Vec::new();
        scheduler
            .registry()
            .for_each(|task| tasks.push(look(scheduler, task)));
        let now = scheduler.clock();
        Self { tasks, now }
    }

    /// The tasks, in no order that means anything.
    #[must_use]
    pub fn tasks(&self) -> &[TaskInfo] {
        &self.tasks
    }

    /// How long ago the last poll of one of its tasks began, or the task was spawned if it was
    /// never polled. Of a task that is being polled, this is how long that has gone on, but for
    /// the few polls before it that its worker did on the same look at the clock.
    #[must_use]
    pub fn time_since(&self, task: &TaskInfo) -> Duration {
        Duration::from_millis(u64::from(self.now.saturating_sub(task.since)))
    }

    fn write_task(&self, f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        write!(f, "task {}", task.id)?;
        if let Some(name) = &task.name {
            write!(f, " {name:?}")?;
        }
        self.write_polls(f, task)?;
        if task.cancelled {
            f.write_str(", cancelled")?;
        }
        if task.shield > 0 {
            f.write_str(", shielded")?;
        }
        if task.orphaned {
            f.write_str(", with nobody left to wake it")?;
        }
        writeln!(f, ", spawned at {}", task.location)?;
        Self::write_position(f, task)
    }

    fn write_polls(&self, f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        let ago = self.time_since(task).as_millis();
        write!(f, ": {}", lifecycle(task))?;
        if task.lifecycle == Lifecycle::Running {
            write!(f, " for {ago} ms")?;
            match (&task.thread, task.worker) {
                (Some(thread), _) => write!(f, " on {thread}")?,
                (None, Some(worker)) => write!(f, " on worker {worker}")?,
                (None, None) => {}
            }
            return write!(f, " in poll {}", task.polls);
        }
        match task.polls {
            0 => write!(f, ", not polled for {ago} ms"),
            1 => write!(f, ", polled once, {ago} ms ago"),
            n => write!(f, ", polled {n} times, last {ago} ms ago"),
        }
    }

    fn write_position(f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        for (depth, state) in task.position.iter().enumerate() {
            let within = if depth == 0 { "" } else { "in " };
            let (machine, name) = (state.machine, state.name);
            let (file, line, column) = (state.file, state.line, state.column);
            writeln!(f, "   {within}{machine} at {name}, {file}:{line}:{column}")?;
        }
        Ok(())
    }
}

/// Looks at a task, and at who polls it.
fn look(scheduler: &scheduler::Handle, task: &TaskRef) -> TaskInfo {
    let mut info = task.inspect();
    if info.lifecycle == Lifecycle::Running
        && let Some((worker, thread)) = scheduler.worker_of(info.id)
    {
        (info.worker, info.thread) = (Some(worker), thread);
    }
    info
}

pub(super) fn lifecycle(task: &TaskInfo) -> &'static str {
    match task.lifecycle {
        Lifecycle::Idle => "idle",
        Lifecycle::Scheduled => "queued",
        Lifecycle::Running => "running",
        Lifecycle::Complete => "complete",
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for task in &self.tasks {
            self.write_task(f, task)?;
        }
        match self.tasks.len() {
            1 => f.write_str("1 task"),
            count => write!(f, "{count} tasks"),
        }
    }
}
