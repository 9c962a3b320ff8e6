//! Orphaned tasks: tasks that wait without a waker.
//!
//! Only a waker runs a task that waits. A task with no waker left is an *orphan*: only a
//! cancellation can run it. The state word counts the wakers, so an orphan is detected without fail
//! by the step that creates it: the end of a poll that left no waker, or the drop of the last
//! waker.
//!
//! A waker that is stored but never called is not detected. An example is a waker in a channel
//! whose ends are both in the task itself.

use super::inspect::TaskInfo;
use super::word::CancelOrphans;
use std::fmt;

/// The report of a task that waits without a waker.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "rt")] {
/// use std::future::pending;
/// use std::sync::mpsc;
///
/// let (send, orphans) = mpsc::channel();
/// let runtime = volt::Runtime::builder()
///     .on_orphan(move |orphan| _ = send.send(orphan.to_string()))
///     .build()
///     .unwrap();
/// runtime.handle().spawn_named("lonely", pending::<()>()).detach();
/// assert!(orphans.recv().unwrap().contains("\"lonely\""));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Orphan(TaskInfo);

/// The policy of a scheduler for orphans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OrphanAction {
    /// Orphans stay, and count as live tasks.
    #[default]
    Keep,
    /// Orphans without a handle are cancelled. Orphans with a handle stay, and the drop of the
    /// handle cancels them.
    CancelDetached,
    /// Orphans are cancelled, and their handles return an error.
    Cancel,
    /// Orphans end as if they had panicked.
    Panic,
}

impl OrphanAction {
    /// Returns the orphans that are cancelled.
    pub(super) fn cancel_orphans(self) -> CancelOrphans {
        match self {
            Self::Keep => CancelOrphans::Never,
            Self::CancelDetached => CancelOrphans::Detached,
            Self::Cancel | Self::Panic => CancelOrphans::Always,
        }
    }
}

impl Orphan {
    pub(super) fn new(task: TaskInfo) -> Self {
        Self(task)
    }

    /// Returns the state of the task when it was found: its name, the location of its spawn, and
    /// the position of a machine.
    #[must_use]
    pub fn task(&self) -> &TaskInfo {
        &self.0
    }
}

impl fmt::Display for Orphan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = &self.0;
        write!(f, "task {}", task.id)?;
        if let Some(name) = &task.name {
            write!(f, " {name:?}")?;
        }
        write!(f, ", spawned at {}, waits", task.location)?;
        if let Some(state) = task.position.last() {
            let (machine, name) = (state.machine, state.name);
            let (file, line, column) = (state.file, state.line, state.column);
            write!(f, " in {machine} at {name}, {file}:{line}:{column},")?;
        }
        f.write_str(" and has no waker left")
    }
}
