//! The shared state of a group, its handles and its children.

use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::num::NonZeroUsize;
use std::task::{Context, Poll, Waker, ready};
use std::vec::Vec;

use super::deferred::DeferredActions;
use super::error::{Outcome, TaskError};
use super::id::ChildId;
use super::inner::{Entry, Inner, Permit};
use super::member::{DescribeTask, Member};
use super::policy::Policy;
use crate::loom::sync::{Arc, Mutex};
use crate::poll_budget::PollBudget;

/// A child's access to the state of its group; consumed by its report.
#[derive(Debug)]
pub(super) struct ChildHandle<T> {
    pub(super) state: Arc<GroupState<T>>,
    pub(super) member: Arc<Member>,
    id: ChildId,
    slot: usize,
}

/// The state that a group, its handles and its children share.
pub(super) struct GroupState<T> {
    inner: Mutex<Inner<T>>,
    budget: Option<PollBudget>,
}

impl<T> GroupState<T> {
    pub(super) fn new(budget: Option<PollBudget>) -> Self {
        Self {
            inner: Mutex::new(Inner::new()),
            budget,
        }
    }

    /// Polls for outcomes, and takes one unit from the budget if they are ready.
    pub(super) fn poll_limited<R>(
        &self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(&Context<'_>) -> Poll<R>,
    ) -> Poll<R> {
        let Some(budget) = self.budget else {
            return poll(cx);
        };
        ready!((budget.poll_left)(cx));
        let ready = ready!(poll(cx));
        (budget.spend)();
        Poll::Ready(ready)
    }

    pub(super) fn set_policy(&self, policy: Policy) {
        self.inner.lock().policy = policy;
    }

    pub(super) fn set_limit(&self, limit: NonZeroUsize) {
        self.inner.lock().limit = Some(limit);
    }

    pub(super) fn set_detached(&self) {
        self.inner.lock().detached = true;
    }

    pub(super) fn policy(&self) -> Policy {
        self.inner.lock().policy
    }

    pub(super) fn live(&self) -> usize {
        self.inner.lock().live
    }

    /// Returns the number of live children and stored results.
    pub(super) fn len(&self) -> usize {
        let inner = self.inner.lock();
        inner.live + inner.results.len()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.inner.lock().cancelled
    }

    /// Registers a new child. In a cancelled group it is cancelled from the start.
    pub(super) fn register_child(
        state: &Arc<Self>,
        describe_task: DescribeTask,
    ) -> (ChildId, ChildHandle<T>) {
        let mut inner = state.inner.lock();
        inner.describe_task = describe_task;
        let id = ChildId::new(inner.spawned);
        inner.spawned += 1;
        inner.live += 1;
        let member = Arc::new(Member::new(inner.cancelled));
        let slot = inner.insert(Entry {
            id,
            member: member.clone(),
            permit: Permit::None,
        });
        let handle = ChildHandle {
            state: state.clone(),
            member,
            id,
            slot,
        };
        (id, handle)
    }

    /// Cancels all children, including those spawned later.
    pub(super) fn cancel(&self) {
        let cancelled = self.inner.lock().cancel();
        DeferredActions::stop(cancelled, ());
    }

    /// Cancels one child. Returns `false` if it has completed.
    pub(super) fn cancel_child(&self, id: ChildId) -> bool {
        let inner = self.inner.lock();
        let live = inner.entries.iter().flatten();
        let found = live.filter(|entry| entry.id == id);
        let found: Vec<_> = found.map(|entry| entry.member.clone()).collect();
        drop(inner);
        let is_live = !found.is_empty();
        DeferredActions::stop(found, ());
        is_live
    }

    /// Returns the next result in completion order, if there is one.
    pub(super) fn try_next(&self) -> Option<(ChildId, Outcome<T>)> {
        let mut inner = self.inner.lock();
        let result = inner.results.pop_front()?;
        inner.shrink_results();
        Some(result)
    }

    /// Returns the members of at most `limit` live children, and the number of the others.
    pub(super) fn live_members(&self, limit: usize) -> (Vec<Arc<Member>>, usize) {
        let inner = self.inner.lock();
        let live = inner.entries.iter().flatten().take(limit);
        let members: Vec<_> = live.map(|entry| entry.member.clone()).collect();
        let others = inner.live - members.len();
        (members, others)
    }

    /// Cancels all children, and drops their results.
    pub(super) fn abandon(&self) {
        let mut inner = self.inner.lock();
        inner.abandoned = true;
        let dropped = (mem::take(&mut inner.results), inner.waiter.take());
        let cancelled = inner.cancel();
        drop(inner);
        DeferredActions::stop(cancelled, dropped);
    }

    /// Drops the waker of a task that no longer waits.
    pub(super) fn stop_waiting(&self) {
        let waiter = self.inner.lock().waiter.take();
        drop(waiter);
    }

    /// Returns the next result, and `None` when no child is left. Registers `waker` if pending.
    pub(super) fn poll_next(&self, waker: &Waker) -> Poll<Option<(ChildId, Outcome<T>)>> {
        self.poll_or_wait(waker, false, |inner| {
            if let Some(result) = inner.results.pop_front() {
                inner.shrink_results();
                return Poll::Ready(Some(result));
            }
            if inner.live > 0 {
                return Poll::Pending;
            }
            inner.results = VecDeque::new();
            Poll::Ready(None)
        })
    }

    /// Returns all results once no child is left. Registers `waker` if pending.
    pub(super) fn poll_all(&self, waker: &Waker) -> Poll<VecDeque<(ChildId, Outcome<T>)>> {
        self.poll_or_wait(waker, true, |inner| {
            if inner.live > 0 {
                return Poll::Pending;
            }
            Poll::Ready(mem::take(&mut inner.results))
        })
    }

    /// Returns the value of `poll`, or registers the waiting task if it is pending.
    ///
    /// A waker is foreign code that may use the group: it is cloned and dropped without the lock.
    fn poll_or_wait<R>(
        &self,
        waker: &Waker,
        for_all: bool,
        mut poll: impl FnMut(&mut Inner<T>) -> Poll<R>,
    ) -> Poll<R> {
        let mut inner = self.inner.lock();
        if let Poll::Ready(value) = poll(&mut inner) {
            return Poll::Ready(value);
        }
        if inner.is_waiting(waker) {
            inner.waits_for_all = for_all;
            return Poll::Pending;
        }
        drop(inner);
        let waker = waker.clone();
        let mut inner = self.inner.lock();
        let polled = poll(&mut inner);
        let unneeded = if polled.is_ready() {
            Some(waker)
        } else {
            inner.waits_for_all = for_all;
            inner.waiter.replace(waker)
        };
        drop(inner);
        drop(unneeded);
        polled
    }
}

impl<T> ChildHandle<T> {
    /// Starts the child if it may start, and returns the function that describes its task.
    /// Otherwise its member is woken when it may start.
    pub(super) fn try_start(&self) -> Option<DescribeTask> {
        let mut inner = self.state.inner.lock();
        let describe_task = inner.describe_task;
        let Some(limit) = inner.limit else {
            return Some(describe_task);
        };
        let has_room = inner.running < limit.get();
        let (permit, admitted) = match inner.entry(self.slot).permit {
            Permit::Granted => (Permit::Granted, true),
            Permit::Queued => (Permit::Queued, false),
            Permit::None if has_room => {
                inner.running += 1;
                (Permit::Granted, true)
            }
            Permit::None => {
                inner.queue.push_back((self.slot, self.id));
                inner.queued += 1;
                (Permit::Queued, false)
            }
        };
        inner.entry(self.slot).permit = permit;
        admitted.then_some(describe_task)
    }

    /// Reports the outcome of the child, whose future has been dropped.
    pub(super) fn report(self, outcome: Outcome<T>) {
        let mut inner = self.state.inner.lock();
        let entry = inner.remove(self.slot);
        debug_assert_eq!(entry.id, self.id);
        inner.live -= 1;
        let granted = inner.release_permit(entry.permit);
        let fails = matches!(outcome, Err(TaskError::Panicked(_)));
        let cancelled = match inner.policy {
            Policy::FailFast if fails && !inner.cancelled => inner.cancel(),
            _ => Vec::new(),
        };
        let dropped = inner.store_result(self.id, outcome).err();
        let is_next = dropped.is_none() && !inner.waits_for_all;
        let waiter = if inner.live == 0 || is_next {
            inner.waiter.take()
        } else {
            None
        };
        drop(inner);
        DeferredActions {
            waiter,
            granted,
            cancelled,
            dropped,
        }
        .run();
    }
}

impl<T> fmt::Debug for GroupState<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.inner.lock();
        f.debug_struct("GroupState")
            .field("live", &inner.live)
            .field("finished", &inner.results.len())
            .field("cancelled", &inner.cancelled)
            .field("policy", &inner.policy)
            .field("limit", &inner.limit)
            .finish()
    }
}
