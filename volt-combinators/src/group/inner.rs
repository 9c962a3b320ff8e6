//! The part of the group state that its lock guards.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::task::Waker;
use std::vec::Vec;

use super::error::{Outcome, TaskError};
use super::id::ChildId;
use super::member::{DescribeTask, Member, StartedTask};
use super::policy::Policy;
use crate::loom::sync::Arc;

/// A child's permission to run, under a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Permit {
    None,
    Queued,
    Granted,
}

/// A live child.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: ChildId,
    pub(super) member: Arc<Member>,
    pub(super) permit: Permit,
}

/// The capacity that is kept however few children there are.
const MIN_CAPACITY: usize = 32;

/// The children, permits and results of a group.
pub(super) struct Inner<T> {
    pub(super) policy: Policy,
    pub(super) limit: Option<NonZeroUsize>,
    /// Outputs are dropped when children complete.
    pub(super) detached: bool,
    pub(super) entries: Vec<Option<Entry>>,
    pub(super) free: Vec<usize>,
    pub(super) live: usize,
    pub(super) spawned: u64,
    /// Children with a permit. Counted only under a limit.
    pub(super) running: usize,
    /// Children that wait for a permit, in order, and some that have completed.
    pub(super) queue: VecDeque<(usize, ChildId)>,
    /// The number of children that wait for a permit.
    pub(super) queued: usize,
    pub(super) results: VecDeque<(ChildId, Outcome<T>)>,
    pub(super) cancelled: bool,
    /// Describes the tasks of children.
    pub(super) describe_task: DescribeTask,
    /// The group was dropped, so results are not stored.
    pub(super) abandoned: bool,
    pub(super) waiter: Option<Waker>,
    /// The waiting task waits for the last child, not for the next.
    pub(super) waits_for_all: bool,
}

impl<T> Inner<T> {
    pub(super) fn new() -> Self {
        Self {
            policy: Policy::default(),
            limit: None,
            detached: false,
            entries: Vec::new(),
            free: Vec::new(),
            live: 0,
            spawned: 0,
            running: 0,
            queue: VecDeque::new(),
            queued: 0,
            results: VecDeque::new(),
            cancelled: false,
            describe_task: |_| StartedTask {
                canceller: None,
                id: None,
            },
            abandoned: false,
            waiter: None,
            waits_for_all: false,
        }
    }

    pub(super) fn insert(&mut self, entry: Entry) -> usize {
        match self.free.pop() {
            Some(slot) => {
                self.entries[slot] = Some(entry);
                slot
            }
            None => {
                self.entries.push(Some(entry));
                self.entries.len() - 1
            }
        }
    }

    pub(super) fn entry(&mut self, slot: usize) -> &mut Entry {
        self.entries[slot].as_mut().expect("a live child's entry")
    }

    pub(super) fn remove(&mut self, slot: usize) -> Entry {
        self.free.push(slot);
        self.entries[slot].take().expect("a live child's entry")
    }

    /// Stores a result; returns it as the error if no task will take it.
    pub(super) fn store_result(
        &mut self,
        id: ChildId,
        outcome: Outcome<T>,
    ) -> Result<(), Outcome<T>> {
        let is_failure =
            self.policy == Policy::FailFast && matches!(outcome, Err(TaskError::Panicked(_)));
        let is_first_failure = is_failure && self.results.is_empty();
        if self.abandoned || self.detached && !is_first_failure {
            return Err(outcome);
        }
        self.results.push_back((id, outcome));
        Ok(())
    }

    /// Shrinks the queue of results if most of its capacity is unused.
    pub(super) fn shrink_results(&mut self) {
        let len = self.results.len();
        if self.results.capacity() > MIN_CAPACITY.max(len * 4) {
            self.results.shrink_to(len * 2);
        }
    }

    /// Releases the permit and the memory of a completed child. Returns the member that receives
    /// the permit.
    pub(super) fn release_permit(&mut self, permit: Permit) -> Option<Arc<Member>> {
        let mut granted = None;
        match permit {
            Permit::None => {}
            Permit::Queued => self.queued -= 1,
            Permit::Granted => {
                self.running -= 1;
                granted = self.grant();
            }
        }
        if self.queue.len() > 2 * self.queued + MIN_CAPACITY {
            let entries = &self.entries;
            self.queue.retain(|&(slot, id)| is_entry(entries, slot, id));
        }
        if self.live == 0 && self.entries.len() > MIN_CAPACITY {
            self.entries = Vec::new();
            self.free = Vec::new();
            self.queue = VecDeque::new();
        }
        granted
    }

    /// Grants a permit to the first live child in the queue.
    pub(super) fn grant(&mut self) -> Option<Arc<Member>> {
        while let Some((slot, id)) = self.queue.pop_front() {
            if is_entry(&self.entries, slot, id) {
                let entry = self.entry(slot);
                entry.permit = Permit::Granted;
                let member = entry.member.clone();
                self.queued -= 1;
                self.running += 1;
                return Some(member);
            }
        }
        None
    }

    /// Marks the group as cancelled; the caller cancels the members without the lock.
    pub(super) fn cancel(&mut self) -> Vec<Arc<Member>> {
        self.cancelled = true;
        let live = self.entries.iter().flatten();
        live.map(|entry| entry.member.clone()).collect()
    }

    /// Returns `true` if `waker` wakes the task that waits already.
    pub(super) fn is_waiting(&self, waker: &Waker) -> bool {
        self.waiter.as_ref().is_some_and(|old| old.will_wake(waker))
    }
}

/// Returns `true` if the slot has this child, and not a later one.
fn is_entry(entries: &[Option<Entry>], slot: usize, id: ChildId) -> bool {
    let entry = entries.get(slot).and_then(Option::as_ref);
    entry.is_some_and(|entry| entry.id == id)
}
