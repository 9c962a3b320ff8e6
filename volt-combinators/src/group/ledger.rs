//! What a group knows of its children.

use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::num::NonZeroUsize;
use std::task::Waker;
use std::vec::Vec;

use super::deferred::DeferredActions;
use super::error::{Outcome, TaskError};
use super::id::ChildId;
use super::member::{MakeCanceller, Member};
use super::policy::Policy;
use crate::loom::sync::{Arc, Mutex};

/// A child's place among those that may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Permit {
    None,
    Queued,
    Granted,
}

/// A live child.
#[derive(Debug)]
struct Entry {
    id: ChildId,
    member: Arc<Member>,
    permit: Permit,
}

/// What a child hands in when it is over.
#[derive(Debug)]
pub(super) struct Ticket<T> {
    pub(super) ledger: Arc<Ledger<T>>,
    pub(super) member: Arc<Member>,
    id: ChildId,
    slot: usize,
}

/// Places that are kept however few children there are.
const SPARE: usize = 32;

/// The record that a group, its handles and its children share.
pub(super) struct Ledger<T> {
    books: Mutex<Books<T>>,
}

struct Books<T> {
    policy: Policy,
    limit: Option<NonZeroUsize>,
    /// What children return is dropped as it comes.
    detached: bool,
    entries: Vec<Option<Entry>>,
    free: Vec<usize>,
    live: usize,
    spawned: u64,
    /// Children with a permit. Counted only under a limit.
    running: usize,
    /// Children that wait for a permit, in order, and some that are over.
    queue: VecDeque<(usize, ChildId)>,
    /// How many of those wait.
    queued: usize,
    results: VecDeque<(ChildId, Outcome<T>)>,
    cancelled: bool,
    /// How the wakers are made by which children are cancelled.
    make_canceller: MakeCanceller,
    /// The group is gone: nobody will ask for results.
    abandoned: bool,
    waiter: Option<Waker>,
    /// The waiter waits for the last child, not for the next.
    waits_for_all: bool,
}

impl<T> Ledger<T> {
    pub(super) fn new() -> Self {
        Self {
            books: Mutex::new(Books {
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
            }),
        }
    }

    pub(super) fn set_policy(&self, policy: Policy) {
        self.books.lock().policy = policy;
    }

    pub(super) fn set_limit(&self, limit: NonZeroUsize) {
        self.books.lock().limit = Some(limit);
    }

    pub(super) fn set_detached(&self) {
        self.books.lock().detached = true;
    }

    pub(super) fn policy(&self) -> Policy {
        self.books.lock().policy
    }

    pub(super) fn live(&self) -> usize {
        self.books.lock().live
    }

    /// Live children, and results that nobody has taken.
    pub(super) fn len(&self) -> usize {
        let books = self.books.lock();
        books.live + books.results.len()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.books.lock().cancelled
    }

    /// Counts a new child. In a cancelled group it is cancelled from the start.
    pub(super) fn enter(ledger: &Arc<Self>, make_canceller: MakeCanceller) -> (ChildId, Ticket<T>) {
        let mut books = ledger.books.lock();
        books.make_canceller = make_canceller;
        let id = ChildId::new(books.spawned);
        books.spawned += 1;
        books.live += 1;
        let member = Arc::new(Member::new(books.cancelled));
        let slot = books.insert(Entry {
            id,
            member: member.clone(),
            permit: Permit::None,
        });
        let ticket = Ticket {
            ledger: ledger.clone(),
            member,
            id,
            slot,
        };
        (id, ticket)
    }

    /// Asks all children to stop, now and in future.
    pub(super) fn cancel(&self) {
        let cancelled = self.books.lock().cancel();
        DeferredActions::stop(cancelled, ());
    }

    /// Asks one child to stop. False if it is over.
    pub(super) fn cancel_child(&self, id: ChildId) -> bool {
        let books = self.books.lock();
        let asked = books.entries.iter().flatten().filter(|it| it.id == id);
        let asked: Vec<_> = asked.map(|it| it.member.clone()).collect();
        drop(books);
        let is_live = !asked.is_empty();
        DeferredActions::stop(asked, ());
        is_live
    }

    /// The next result in completion order, if there is one.
    pub(super) fn try_next(&self) -> Option<(ChildId, Outcome<T>)> {
        let mut books = self.books.lock();
        let result = books.results.pop_front()?;
        books.give_back_results();
        Some(result)
    }

    /// Cancels, and lets results go as they come.
    pub(super) fn abandon(&self) {
        let mut books = self.books.lock();
        books.abandoned = true;
        let unwanted = (mem::take(&mut books.results), books.waiter.take());
        let cancelled = books.cancel();
        drop(books);
        DeferredActions::stop(cancelled, unwanted);
    }

    /// Nobody waits any more: forgets the waker.
    pub(super) fn stop_waiting(&self) {
        let waiter = self.books.lock().waiter.take();
        drop(waiter);
    }

    /// The next result in completion order; `Ok(None)` when no child is left, and `Err` when there
    /// is one to wait for, which will wake `waker`.
    pub(super) fn next(&self, waker: &Waker) -> Result<Option<(ChildId, Outcome<T>)>, Waiting> {
        let mut books = self.books.lock();
        if let Some(result) = books.results.pop_front() {
            books.give_back_results();
            return Ok(Some(result));
        }
        if books.live == 0 {
            books.results = VecDeque::new();
            return Ok(None);
        }
        let old = books.wait(waker, false);
        drop(books);
        drop(old);
        Err(Waiting)
    }

    /// All results, in completion order, once no child is left.
    pub(super) fn all(&self, waker: &Waker) -> Result<VecDeque<(ChildId, Outcome<T>)>, Waiting> {
        let mut books = self.books.lock();
        if books.live == 0 {
            return Ok(mem::take(&mut books.results));
        }
        let old = books.wait(waker, true);
        drop(books);
        drop(old);
        Err(Waiting)
    }
}

/// There are live children; the waker is registered.
#[derive(Debug)]
pub(super) struct Waiting;

impl<T> Ticket<T> {
    /// Starts the child if it may start, and tells how its canceller is made; if not, its member is
    /// woken when it may.
    pub(super) fn admit(&self) -> Option<MakeCanceller> {
        let mut books = self.ledger.books.lock();
        let make_canceller = books.make_canceller;
        let Some(limit) = books.limit else {
            return Some(make_canceller);
        };
        let has_room = books.running < limit.get();
        let (permit, admitted) = match books.entry(self.slot).permit {
            Permit::Granted => (Permit::Granted, true),
            Permit::Queued => (Permit::Queued, false),
            Permit::None if has_room => {
                books.running += 1;
                (Permit::Granted, true)
            }
            Permit::None => {
                books.queue.push_back((self.slot, self.id));
                books.queued += 1;
                (Permit::Queued, false)
            }
        };
        books.entry(self.slot).permit = permit;
        admitted.then_some(make_canceller)
    }

    /// Reports the end of the child, whose future has been dropped.
    pub(super) fn report(self, outcome: Outcome<T>) {
        let mut books = self.ledger.books.lock();
        let entry = books.remove(self.slot);
        debug_assert_eq!(entry.id, self.id);
        books.live -= 1;
        let granted = books.give_back(entry.permit);
        let fails = matches!(outcome, Err(TaskError::Panicked(_)));
        let cancelled = match books.policy {
            Policy::FailFast if fails && !books.cancelled => books.cancel(),
            _ => Vec::new(),
        };
        let unwanted = books.keep(self.id, outcome).err();
        let is_next = unwanted.is_none() && !books.waits_for_all;
        let waiter = if books.live == 0 || is_next {
            books.waiter.take()
        } else {
            None
        };
        drop(books);
        DeferredActions {
            waiter,
            granted,
            cancelled,
            unwanted,
        }
        .run();
    }
}

impl<T> Books<T> {
    fn insert(&mut self, entry: Entry) -> usize {
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

    fn entry(&mut self, slot: usize) -> &mut Entry {
        self.entries[slot].as_mut().expect("a live child's entry")
    }

    fn remove(&mut self, slot: usize) -> Entry {
        self.free.push(slot);
        self.entries[slot].take().expect("a live child's entry")
    }

    /// Keeps a result for whoever waits; gives it back if nobody will ask for it.
    fn keep(&mut self, id: ChildId, outcome: Outcome<T>) -> Result<(), Outcome<T>> {
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
    fn give_back_results(&mut self) {
        let len = self.results.len();
        if self.results.capacity() > SPARE.max(len * 4) {
            self.results.shrink_to(len * 2);
        }
    }

    /// Takes back what a child held of the books that is over.
    fn give_back(&mut self, permit: Permit) -> Option<Arc<Member>> {
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
    fn grant(&mut self) -> Option<Arc<Member>> {
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
    fn cancel(&mut self) -> Vec<Arc<Member>> {
        self.cancelled = true;
        let live = self.entries.iter().flatten();
        live.map(|entry| entry.member.clone()).collect()
    }

    /// Registers the waiter; returns the waker it replaces, to be dropped outside of the lock.
    fn wait(&mut self, waker: &Waker, for_all: bool) -> Option<Waker> {
        self.waits_for_all = for_all;
        match &self.waiter {
            Some(old) if old.will_wake(waker) => None,
            _ => self.waiter.replace(waker.clone()),
        }
    }
}

/// Whether a place is that child's, and not that of one that came after it.
fn is_entry(entries: &[Option<Entry>], slot: usize, id: ChildId) -> bool {
    let entry = entries.get(slot).and_then(Option::as_ref);
    entry.is_some_and(|entry| entry.id == id)
}

impl<T> fmt::Debug for Ledger<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let books = self.books.lock();
        f.debug_struct("Ledger")
            .field("live", &books.live)
            .field("finished", &books.results.len())
            .field("cancelled", &books.cancelled)
            .field("policy", &books.policy)
            .field("limit", &books.limit)
            .finish()
    }
}
