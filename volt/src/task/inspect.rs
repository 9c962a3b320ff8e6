//! Looking at a task from outside.
//!
//! A task that waits or is queued is *claimed*: it becomes running, in the hands of whoever
//! looks. Its future is read, not polled, and the task goes back; a wake that came meanwhile is
//! found then. A task that is being polled is told of without its position. So nobody is
//! stopped, and nobody waits.

use super::id::TaskId;
use super::ptr::TaskPtr;
use super::snapshot::{Lifecycle, Snapshot, flag};
use super::state::Claim;
use std::panic::Location;

/// What is known about a task at one moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TaskInfo {
    /// Its id.
    pub id: TaskId,
    /// What its spawner called it.
    pub name: Option<Box<str>>,
    /// Where it was spawned.
    pub location: &'static Location<'static>,
    /// Where it stands.
    pub lifecycle: Lifecycle,
    /// How often it was polled.
    pub polls: u32,
    /// When its last poll began, by the clock of the scheduler, in milliseconds; before the
    /// first one, when it was spawned.
    pub since: u32,
    /// Somebody asked it to stop.
    pub cancelled: bool,
    /// How many shields put that off.
    pub shield: u16,
    /// Nobody can wake it any more.
    pub orphaned: bool,
    /// How many wakers of it there are, if that can be told.
    pub wakers: Option<u64>,
    /// The type of its future.
    pub type_name: &'static str,
    /// The size of its future, in bytes.
    pub future_size: usize,
}

/// What the typed half of a task tells.
pub(super) struct Description {
    pub(super) name: Option<Box<str>>,
    pub(super) location: &'static Location<'static>,
    pub(super) type_name: &'static str,
    pub(super) future_size: usize,
}

impl TaskInfo {
    /// Looks at a task. The caller has a reference to it.
    pub(super) fn of(task: TaskPtr) -> Self {
        // SAFETY: I1: the caller keeps the task.
        let state = unsafe { task.state() };
        let seen = state.load();
        let mut info = Self::new(task, seen);
        let claim = state.claim();
        if let Claim::WasIdle | Claim::WasScheduled = claim {
            // SAFETY: I2: the claim gave us the task, and the caller keeps it.
            unsafe { task.release_claim(claim == Claim::WasScheduled) };
        }
        info.lifecycle = match claim {
            Claim::WasIdle => Lifecycle::Idle,
            Claim::WasScheduled => Lifecycle::Scheduled,
            Claim::Refused(lifecycle) => lifecycle,
        };
        info
    }

    /// Looks at a task that the caller has anyway.
    ///
    /// # Safety
    ///
    /// - The task is running, in the hands of the caller, and not being polled.
    pub(super) unsafe fn of_running(task: TaskPtr) -> Self {
        // SAFETY: I1: the life reference keeps the task.
        let seen = unsafe { task.state() }.load();
        Self::new(task, seen)
    }

    fn new(task: TaskPtr, seen: Snapshot) -> Self {
        // SAFETY: I1: the callers keep the task.
        let header = unsafe { task.header() };
        // SAFETY: As above.
        let about = unsafe { (header.vtable.describe)(task) };
        Self {
            id: header.id(),
            name: about.name,
            location: about.location,
            lifecycle: seen.lifecycle(),
            polls: header.polls(),
            since: header.since(),
            cancelled: seen.has(flag::CANCELLED),
            shield: seen.shield(),
            orphaned: seen.has(flag::ORPHANED),
            wakers: (!seen.is_complete()).then(|| seen.wakers()).flatten(),
            type_name: about.type_name,
            future_size: about.future_size,
        }
    }
}
