//! Blocking joins of a thread.
//!
//! A task that blocks in a join may run its target inline, which may join in turn. So each thread
//! records the tasks that are on its stack. [`stack`](super::stack) limits the depth.

use super::wait_graph::{Deadlock, Dependents, RuntimeIds, WAIT_GRAPH};
use crate::loom::thread_local_const;
use crate::task::current_task;
use crate::task::handle::JoinTarget;
use crate::task::reference::RawTask;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::task::Waker;

thread_local_const! {
    static JOIN_STACK: RefCell<JoinStack> = RefCell::new(JoinStack::new());
}

/// The nested joins of this thread.
struct JoinStack {
    /// The addresses of the joining tasks, the outermost first.
    tasks: Vec<usize>,
}

impl JoinStack {
    const fn new() -> Self {
        Self { tasks: Vec::new() }
    }
}

/// A join of this thread, which ends when the frame is dropped.
#[derive(Debug)]
pub(crate) struct JoinFrame {
    task: Option<usize>,
}

/// The registration of a blocked thread, which ends when the guard is dropped.
#[derive(Debug)]
pub(crate) struct BlockedGuard(u64);

/// Calls `access` with the joins of the thread. While a thread ends, its thread-local may be
/// destroyed, and `access` gets an empty stack.
fn with_stack<R>(access: impl FnOnce(&mut JoinStack) -> R) -> R {
    let mut access = Some(access);
    let mut call = |stack: &mut JoinStack| access.take().map(|access| access(stack));
    let result = JOIN_STACK.try_with(|stack| call(&mut stack.borrow_mut()));
    let result = result.ok().flatten();
    let result = result.or_else(|| call(&mut JoinStack::new()));
    result.expect("`access` is called once")
}

impl JoinFrame {
    /// Begins a join on this thread.
    pub(crate) fn begin() -> Self {
        let task = current_task::with_current(|task| task.map(address));
        with_stack(|stack| stack.tasks.extend(task));
        Self { task }
    }

    /// Returns `true` if the task is on the stack of this thread, so that it waits for this join.
    pub(crate) fn is_inside(&self, target: JoinTarget) -> bool {
        with_stack(|stack| stack.tasks.contains(&target.address))
    }

    /// Registers this thread as blocked until `target` is complete.
    ///
    /// `here` is the runtime id if the thread is a worker. `waker` is called when the thread should
    /// check again.
    ///
    /// # Errors
    ///
    /// Returns [`Deadlock`] if the target waits for a task on the stack of this thread.
    pub(crate) fn wait_for(
        &self,
        target: JoinTarget,
        here: Option<NonZeroUsize>,
        waker: &Waker,
    ) -> Result<BlockedGuard, Deadlock> {
        let stack = with_stack(|stack| stack.tasks.as_slice().into());
        let number = |runtime_id: Option<NonZeroUsize>| runtime_id.map_or(0, NonZeroUsize::get);
        let runtime_ids = RuntimeIds {
            target: number(target.runtime_id),
            worker: number(here),
            polls: number(current_task::with_current(|task| {
                task.and_then(RawTask::runtime_id)
            })),
        };
        let key = WAIT_GRAPH
            .lock()
            .begin(stack, target.address, runtime_ids, waker.clone());
        key.map(BlockedGuard)
    }
}

impl Drop for JoinFrame {
    fn drop(&mut self) {
        if self.task.is_some() {
            with_stack(|stack| stack.tasks.pop());
        }
    }
}

impl Drop for BlockedGuard {
    fn drop(&mut self) {
        WAIT_GRAPH.lock().end(self.0);
    }
}

/// Wakes all blocked threads that wait for tasks of a runtime, poll its tasks, or are its workers.
pub(crate) fn wake_joiners(runtime_id: NonZeroUsize) {
    let wakers = WAIT_GRAPH.lock().wakers(runtime_id.get());
    for waker in wakers {
        waker.wake();
    }
}

/// Counts the blocked threads of a runtime that wait for the tasks on the stack of this thread.
pub(crate) fn dependents_of_this_thread(runtime_id: NonZeroUsize) -> Dependents {
    let mut stack = with_stack(|stack| stack.tasks.clone());
    stack.extend(current_task::with_current(|task| task.map(address)));
    if stack.is_empty() {
        return Dependents::default();
    }
    WAIT_GRAPH.lock().dependents(runtime_id.get(), &stack)
}

/// Returns the address of each task that blocks in a join, with the address of the task it waits
/// for.
pub(crate) fn blocked_tasks() -> Vec<(usize, usize)> {
    WAIT_GRAPH.lock().edges()
}

fn address(task: &RawTask) -> usize {
    task.as_raw().addr().get()
}
