//! A list of the live tasks, as text and as data.

use std::fmt;

use crate::scheduler;
use crate::task::{Lifecycle, TaskInfo};

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
            .for_each(|task| tasks.push(task.inspect()));
        let now = scheduler.clock();
        Self { tasks, now }
    }

    /// The tasks, in no order that means anything.
    #[must_use]
    pub fn tasks(&self) -> &[TaskInfo] {
        &self.tasks
    }

    fn write_task(&self, f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        write!(f, "task {}", task.id)?;
        if let Some(name) = &task.name {
            write!(f, " {name:?}")?;
        }
        let ago = self.now.saturating_sub(task.since);
        match task.polls {
            0 => write!(f, ": {}, not polled for {ago} ms", lifecycle(task))?,
            1 => write!(f, ": {}, polled once, {ago} ms ago", lifecycle(task))?,
            n => write!(
                f,
                ": {}, polled {n} times, last {ago} ms ago",
                lifecycle(task)
            )?,
        }
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
        for (depth, state) in task.position.iter().enumerate() {
            let within = if depth == 0 { "" } else { "in " };
            let (machine, name) = (state.machine, state.name);
            let (file, line, column) = (state.file, state.line, state.column);
            writeln!(f, "   {within}{machine} at {name}, {file}:{line}:{column}")?;
        }
        Ok(())
    }
}

fn lifecycle(task: &TaskInfo) -> &'static str {
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
