//! What a group knows of its children.

use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::num::NonZeroUsize;
use std::task::Waker;
use std::vec::Vec;

use super::books::{Books, Entry, Permit};
use super::deferred::DeferredActions;
use super::error::{Outcome, TaskError};
use super::id::ChildId;
use super::member::{MakeCanceller, Member};
use super::policy::Policy;
use crate::loom::sync::{Arc, Mutex};

/// What a child hands in when it is over.
#[derive(Debug)]
pub(super) struct Ticket<T> {
    pub(super) ledger: Arc<Ledger<T>>,
    pub(super) member: Arc<Member>,
    id: ChildId,
    slot: usize,
}

/// The record that a group, its handles and its children share.
pub(super) struct Ledger<T> {
    books: Mutex<Books<T>>,
}

impl<T> Ledger<T> {
    pub(super) fn new() -> Self {
        Self {
            books: Mutex::new(Books::new()),
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
        self.look_or_wait(waker, false, |books| {
            if let Some(result) = books.results.pop_front() {
                books.give_back_results();
                return Some(Some(result));
            }
            if books.live > 0 {
                return None;
            }
            books.results = VecDeque::new();
            Some(None)
        })
    }

    /// All results, in completion order, once no child is left.
    pub(super) fn all(&self, waker: &Waker) -> Result<VecDeque<(ChildId, Outcome<T>)>, Waiting> {
        self.look_or_wait(waker, true, |books| {
            (books.live == 0).then(|| mem::take(&mut books.results))
        })
    }

    /// Returns what `look` finds, or registers the waiter if it finds nothing.
    ///
    /// A waker is foreign code that may use the group: it is cloned and dropped outside of the
    /// lock.
    fn look_or_wait<R>(
        &self,
        waker: &Waker,
        for_all: bool,
        mut look: impl FnMut(&mut Books<T>) -> Option<R>,
    ) -> Result<R, Waiting> {
        let mut books = self.books.lock();
        if let Some(found) = look(&mut books) {
            return Ok(found);
        }
        if books.knows(waker) {
            books.waits_for_all = for_all;
            return Err(Waiting);
        }
        drop(books);
        let waker = waker.clone();
        let mut books = self.books.lock();
        let (found, unneeded) = match look(&mut books) {
            Some(found) => (Ok(found), Some(waker)),
            None => {
                books.waits_for_all = for_all;
                (Err(Waiting), books.waiter.replace(waker))
            }
        };
        drop(books);
        drop(unneeded);
        found
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
