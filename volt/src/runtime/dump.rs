//! A list of the live tasks, as text and as data.

use std::fmt;

use crate::task::{Registry, TaskInfo};

/// Every live task of a runtime at about one moment.
///
/// Each task is looked at on its own, so the list is no snapshot of the whole. Its text has a
/// block for each task:
///
/// ```text
/// task 17 "reader" idle, polled 3 times, spawned at src/main.rs:10:9
///   in read_frame at await read @ src/frame.rs:31:14
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Dump {
    tasks: Vec<TaskInfo>,
}

impl Dump {
    pub(super) fn of(registry: &Registry) -> Self {
        let mut tasks = Vec::new();
        registry.for_each(|task| tasks.push(task.inspect()));
        Self { tasks }
    }

    /// The tasks, in no order that means anything.
    #[must_use]
    pub fn tasks(&self) -> &[TaskInfo] {
        &self.tasks
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for task in &self.tasks {
            write_task(f, task)?;
        }
        write!(f, "{} tasks", self.tasks.len())
    }
}

fn write_task(f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
    write!(f, "task {}", task.id)?;
    if let Some(name) = &task.name {
        write!(f, " {name:?}")?;
    }
    write!(f, " {:?}, polled {} times", task.lifecycle, task.polls)?;
    if task.cancelled {
        f.write_str(", cancelled")?;
    }
    writeln!(f, ", spawned at {}", task.location)
}
