//! Looking at a task from outside.
//!
//! A task that waits or is queued is *claimed*: it becomes running, in the hands of whoever
//! looks. Its future is read, not polled, and the task goes back; a wake that came meanwhile is
//! found then. A task that is being polled is told of without its position. So nobody is
//! stopped, and nobody waits.

use crate::machine::State;
use crate::task::id::TaskId;
use crate::task::reference::RawTask;
use crate::task::word::{Lifecycle, flag};
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
    /// When it was queued, if it is; else when its last poll began: by a clock of this process, in
    /// milliseconds, which starts again after 2³² of them (49.7 days). Zero if nobody knows: it was
    /// spawned or woken by a thread that is no worker, and was not polled since.
    /// [`Dump::time_since`](crate::runtime::Dump::time_since) is its age.
    pub since: u32,
    /// It is a job that may block, and no worker's.
    pub blocking: bool,
    /// While it is being polled: the index of the worker whose loop does that, if that is known.
    pub worker: Option<usize>,
    /// The name of that worker's thread; or of the thread that polls it inside of a
    /// [`join`](crate::JoinHandle::join), or its id if it has no name.
    pub thread: Option<String>,
    /// Somebody asked it to stop.
    pub cancelled: bool,
    /// How many shields put that off.
    pub shield: u16,
    /// Nobody can wake it any more.
    pub orphaned: bool,
    /// How many wakers of it there are, if that can be told.
    pub wakers: Option<u64>,
    /// The tasks of the same runtime that it waits for, as far as that is known: those whose
    /// handles it awaits itself, or joins. What it awaits through a combinator that has wakers of
    /// its own is not among them.
    pub waits_for: Vec<TaskId>,
    /// The type of its future.
    pub type_name: &'static str,
    /// The size of its future, in bytes.
    pub future_size: usize,
    /// For a machine: the states that it is in, the outermost first. Empty for other futures,
    /// and while the task is being polled.
    pub position: Vec<&'static State>,
    /// The states of machines in it that [`inspected`](crate::task::inspected()) shows, a list each.
    /// Empty while the task is being polled.
    pub within: Vec<Vec<&'static State>>,
}

impl TaskInfo {
    /// Looks at a task.
    pub(in crate::task) fn of(task: &RawTask) -> Self {
        let mut info = Self::of_running(task);
        info.lifecycle = match task.claim() {
            Ok(claimed) => {
                info.position = claimed.position();
                info.within = claimed.positions_within();
                claimed.lifecycle()
            }
            Err(lifecycle) => lifecycle,
        };
        info
    }

    /// Looks at a task without a claim.
    pub(in crate::task) fn of_running(task: &RawTask) -> Self {
        let (header, about) = (task.header(), task.describe());
        let seen = header.state.load();
        Self {
            id: header.id(),
            name: about.name,
            location: about.location,
            lifecycle: seen.lifecycle(),
            polls: header.polls(),
            since: header.since(),
            blocking: false,
            worker: None,
            thread: None,
            cancelled: seen.has(flag::CANCELLED),
            shield: seen.shield(),
            orphaned: seen.has(flag::ORPHANED),
            wakers: (!seen.is_complete()).then(|| seen.wakers()).flatten(),
            waits_for: Vec::new(),
            type_name: about.type_name,
            future_size: about.future_size,
            position: Vec::new(),
            within: Vec::new(),
        }
    }
}
