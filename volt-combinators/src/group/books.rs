//! The entries of a group's ledger.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::task::Waker;
use std::vec::Vec;

use super::error::{Outcome, TaskError};
use super::id::ChildId;
use super::member::{MakeCanceller, Member};
use super::policy::Policy;
use crate::loom::sync::Arc;

/// A child's place among those that may run.
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

/// Places that are kept however few children there are.
const SPARE: usize = 32;

/// The entries, which the lock of the ledger guards.
pub(super) struct Books<T> {
    pub(super) policy: Policy,
    pub(super) limit: Option<NonZeroUsize>,
    /// What children return is dropped as it comes.
    pub(super) detached: bool,
    pub(super) entries: Vec<Option<Entry>>,
    pub(super) free: Vec<usize>,
    pub(super) live: usize,
    pub(super) spawned: u64,
    /// Children with a permit. Counted only under a limit.
    pub(super) running: usize,
    /// Children that wait for a permit, in order, and some that are over.
    pub(super) queue: VecDeque<(usize, ChildId)>,
    /// How many of those wait.
    pub(super) queued: usize,
    pub(super) results: VecDeque<(ChildId, Outcome<T>)>,
    pub(super) cancelled: bool,
    /// How the wakers are made by which children are cancelled.
    pub(super) make_canceller: MakeCanceller,
    /// The group is gone: nobody will ask for results.
    pub(super) abandoned: bool,
    pub(super) waiter: Option<Waker>,
    /// The waiter waits for the last child, not for the next.
    pub(super) waits_for_all: bool,
}

impl<T> Books<T> {
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
            make_canceller: |_| None,
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

    /// Keeps a result for whoever waits; gives it back if nobody will ask for it.
    pub(super) fn keep(&mut self, id: ChildId, outcome: Outcome<T>) -> Result<(), Outcome<T>> {
        let is_failure =
            self.policy == Policy::FailFast && matches!(outcome, Err(TaskError::Panicked(_)));
        let is_first_failure = is_failure && self.results.is_empty();
        if self.abandoned || self.detached && !is_first_failure {
            return Err(outcome);
        }
        self.results.push_back((id, outcome));
        Ok(())
    }

    /// Gives memory of results back that have been taken, if that is most of it.
    pub(super) fn give_back_results(&mut self) {
        let len = self.results.len();
        if self.results.capacity() > SPARE.max(len * 4) {
            self.results.shrink_to(len * 2);
        }
    }

    /// Takes back what a child held of the books that is over.
    pub(super) fn give_back(&mut self, permit: Permit) -> Option<Arc<Member>> {
        let mut granted = None;
        match permit {
            Permit::None => {}
            Permit::Queued => self.queued -= 1,
            Permit::Granted => {
                self.running -= 1;
                granted = self.grant();
            }
        }
        if self.queue.len() > 2 * self.queued + SPARE {
            let entries = &self.entries;
            self.queue.retain(|&(slot, id)| is_entry(entries, slot, id));
        }
        if self.live == 0 && self.entries.len() > SPARE {
            self.entries = Vec::new();
            self.free = Vec::new();
            self.queue = VecDeque::new();
        }
        granted
    }

    /// Passes a permit on to the first in the queue that is still live.
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

    /// Marks the group as cancelled; the caller cancels the members outside of the lock.
    pub(super) fn cancel(&mut self) -> Vec<Arc<Member>> {
        self.cancelled = true;
        let live = self.entries.iter().flatten();
        live.map(|entry| entry.member.clone()).collect()
    }

    /// Returns `true` if the waker is that of the waiter.
    pub(super) fn knows(&self, waker: &Waker) -> bool {
        self.waiter.as_ref().is_some_and(|it| it.will_wake(waker))
    }
}

/// Whether a place is that child's, and not that of one that came after it.
fn is_entry(entries: &[Option<Entry>], slot: usize, id: ChildId) -> bool {
    let entry = entries.get(slot).and_then(Option::as_ref);
    entry.is_some_and(|entry| entry.id == id)
}
