//! Tasks that nobody can wake.
//!
//! A task that waits is woken by a waker. If none is left, nothing but a cancel will ever run it:
//! it is an *orphan*. The word counts the wakers, so this is known for certain at the step that
//! makes it so: the end of the poll that left none, or later the drop of the last one.
//!
//! What is not seen: a waker that is kept but will never be called, such as one in a channel both
//! ends of which are in the task itself.

use super::inspect::TaskInfo;
use super::word::CancelOrphans;
use std::fmt;

/// The report of a task that waits while nobody is left who could wake it.
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

/// What becomes of orphans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OrphanAction {
    /// They stay, and count as alive.
    #[default]
    Keep,
    /// Those with a handle stay, as it can end them; the others are cancelled. Whoever drops a
    /// handle cancels a task that was found before.
    CancelDetached,
    /// They are cancelled, so that their handles get an error.
    Cancel,
    /// They end as if they had panicked.
    Panic,
}

impl OrphanAction {
    /// Which of them end.
    pub(super) fn ending(self) -> CancelOrphans {
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

    /// The task, as it was found: its name, where it was spawned, and for a machine where it
    /// waits.
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
        f.write_str(" and nobody is left to wake it")
    }
}
