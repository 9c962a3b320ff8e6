//! Information about a task for other threads.
//!
//! The inspector *claims* a task that is idle or queued: the task becomes running, and belongs to
//! the inspector. The inspector reads the future without polling it, and releases the task. The
//! release finds a wake that arrived meanwhile. A task that is being polled is reported without its
//! position. So an inspection neither blocks nor stops a task.

use super::claim_guard::ClaimGuard;
use crate::loom::SharedSlice;
use crate::machine::State;
use crate::task::id::TaskId;
use crate::task::reference::RawTask;
use crate::task::word::{Lifecycle, flag};
use crate::util::catch_as_none;
use std::ops::Range;
use std::panic::Location;
use volt_inspect::Visitor;

/// Information about a task at one moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TaskInfo {
    /// The id of the task.
    pub id: TaskId,
    /// The name that the spawner gave to the task.
    pub name: Option<Box<str>>,
    /// The location of the spawn.
    pub location: &'static Location<'static>,
    /// The state of the task.
    pub lifecycle: Lifecycle,
    /// The number of polls.
    pub polls: u32,
    /// The time at which the task was queued, or if it is not queued, at which its last poll began.
    ///
    /// The unit is one millisecond of a clock of this process, which wraps after 2³² milliseconds
    /// (49.7 days). Zero means that the time is unknown, because a thread that is not a worker
    /// spawned or woke the task, and it was not polled since.
    /// [`Dump::time_since`](crate::runtime::Dump::time_since) returns the age.
    pub since: u32,
    /// `true` if the task is a job of [`spawn_blocking`](crate::spawn_blocking).
    pub blocking: bool,
    /// `true` if this is the future of a call of `block_on`, which is not a task. The location is
    /// that of the call.
    pub block_on: bool,
    /// The index of the worker whose loop polls the task, if it is being polled and that is known.
    pub worker: Option<u16>,
    /// The name of the thread that polls the task, or the id of a thread without a name. The thread
    /// is that of the worker, or one that polls the task inside of a
    /// [`join`](crate::JoinHandle::join).
    pub thread: Option<Box<str>>,
    /// `true` if the cancellation of the task was requested.
    pub cancelled: bool,
    /// The number of shields that delay a cancellation.
    pub shield: u16,
    /// `true` if the task has no waker left.
    pub orphaned: bool,
    /// `true` if the handle of the task was dropped.
    pub detached: bool,
    /// The number of wakers, if it is known.
    pub wakers: Option<u64>,
    /// The tasks of the same runtime that the task waits for, as far as they are known.
    ///
    /// These are the tasks whose handles it awaits or joins directly, and the holder of the lock
    /// for which it waits, if it waits for nothing else. A handle that it awaits through a
    /// combinator with wakers of its own is not included.
    pub waits_for: Vec<TaskId>,
    /// The name of the type of the future.
    pub type_name: &'static str,
    /// The size of the future in bytes.
    pub future_size: usize,
    /// The states of the nested machines of the future, the outermost first. Empty for a future
    /// that is not a machine, and while the task is being polled.
    ///
    /// The tasks of a dump that wait at the same place share the list.
    pub position: SharedSlice<&'static State>,
    /// The states of each machine in the task that is wrapped by
    /// [`inspected`](crate::task::inspected()). Empty while the task is being polled.
    pub within: Box<[Vec<&'static State>]>,
    /// The tree of futures in the arena of the dump; see
    /// [`Dump::tree`](crate::runtime::Dump::tree).
    pub(crate) tree: TreeRange,
}

/// The part of an arena that has the tree of one task.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeRange {
    pub(crate) nodes: Range<u32>,
    /// The first fact about a node. The facts end with those of the last node.
    pub(crate) details: u32,
}

// A dump can have a million tasks.
#[cfg(test)]
const _: () = assert!(size_of::<usize>() != 8 || size_of::<TaskInfo>() <= 176);

impl TaskInfo {
    /// Inspects a task. Claims it if it is idle or queued. The position is empty if the future
    /// panics.
    pub(in crate::task) fn of(task: &RawTask) -> Self {
        Self::of_claimed(task, |info, claim| {
            info.position = catch_as_none(|| claim.position())
                .unwrap_or_default()
                .into();
        })
    }

    /// Inspects a task without its position, and passes the tree of futures in it to a visitor
    /// under the same claim.
    ///
    /// The visitor receives nothing if the task is being polled or is complete. The call passes on
    /// a panic of the visitor and of an implementation of `Inspect` or `Debug`, and releases the
    /// claim.
    pub(in crate::task) fn with_tree(task: &RawTask, visitor: &mut dyn Visitor) -> Self {
        Self::of_claimed(task, |_, claim| claim.inspect(visitor))
    }

    /// Inspects a task. Runs `inspect` with the claim if the task is idle or queued.
    fn of_claimed(task: &RawTask, inspect: impl FnOnce(&mut Self, &ClaimGuard<'_>)) -> Self {
        let mut info = Self::of_running(task);
        info.lifecycle = match task.claim() {
            Ok(claim) => {
                info.within = claim.positions_within().into();
                inspect(&mut info, &claim);
                claim.lifecycle()
            }
            Err(lifecycle) => lifecycle,
        };
        info
    }

    /// Inspects a task without a claim.
    pub(in crate::task) fn of_running(task: &RawTask) -> Self {
        let (header, description) = (task.header(), task.describe());
        let seen = header.state.load();
        Self {
            id: header.id(),
            name: description.name,
            location: description.location,
            lifecycle: seen.lifecycle(),
            polls: header.polls(),
            since: header.since(),
            blocking: false,
            block_on: false,
            worker: None,
            thread: None,
            cancelled: seen.has(flag::CANCELLED),
            shield: seen.shield(),
            orphaned: seen.has(flag::ORPHANED),
            detached: seen.has(flag::DETACHED),
            wakers: (!seen.is_complete()).then(|| seen.wakers()).flatten(),
            waits_for: Vec::new(),
            type_name: description.type_name,
            future_size: description.future_size,
            position: SharedSlice::default(),
            within: Box::default(),
            tree: TreeRange::default(),
        }
    }
}
