//! Threads that block until a task is complete.
//!
//! Each thread knows which tasks stand on its stack: a task that blocks in a join may run the one
//! it joins inside, and so on. How far that goes is a matter of [the stack](super::stack).

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

/// The joins that this thread is in.
struct JoinStack {
    /// The tasks that join, the outermost first.
    tasks: Vec<usize>,
}

impl JoinStack {
    const fn new() -> Self {
        Self { tasks: Vec::new() }
    }
}

/// The time during which a thread is in a join.
#[derive(Debug)]
pub(crate) struct JoinFrame {
    task: Option<usize>,
}

/// The time during which a thread blocks.
#[derive(Debug)]
pub(crate) struct BlockedGuard(u64);

/// Lends the thread's stack; where that is gone already, as the thread ends, an empty one.
fn with_stack<R>(access: impl FnOnce(&mut JoinStack) -> R) -> R {
    let mut access = Some(access);
    let mut lend = |stack: &mut JoinStack| access.take().map(|access| access(stack));
    let lent = JOIN_STACK.try_with(|stack| lend(&mut stack.borrow_mut()));
    let lent = lent.ok().flatten().or_else(|| lend(&mut JoinStack::new()));
    lent.expect("it is lent once")
}

impl JoinFrame {
    /// This thread begins a join.
    pub(crate) fn begin() -> Self {
        let task = current_task::with_current(|task| task.map(address));
        with_stack(|stack| stack.tasks.extend(task));
        Self { task }
    }

    /// True if the task stands on this thread's stack: it waits for the end of this very join.
    pub(crate) fn is_inside(&self, target: JoinTarget) -> bool {
        with_stack(|stack| stack.tasks.contains(&target.address))
    }

    /// The thread, a worker of the scheduler `here` if of any, is about to block; `waker` is called
    /// when it should look again.
    ///
    /// # Errors
    ///
    /// [`Deadlock`] if the target waits for a task on this stack.
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

/// Has all threads look again that block for tasks of that scheduler, or are its workers.
pub(crate) fn wake_joiners(runtime_id: NonZeroUsize) {
    let wakers = WAIT_GRAPH.lock().wakers(runtime_id.get());
    for waker in wakers {
        waker.wake();
    }
}

/// The threads of that scheduler that do not go on before the task goes on that this thread polls.
pub(crate) fn dependents_of_this_thread(runtime_id: NonZeroUsize) -> Dependents {
    let mut stack = with_stack(|stack| stack.tasks.clone());
    stack.extend(current_task::with_current(|task| task.map(address)));
    if stack.is_empty() {
        return Dependents::default();
    }
    WAIT_GRAPH.lock().dependents(runtime_id.get(), &stack)
}

/// The addresses of the tasks that block in joins, each with that of the task it waits for.
pub(crate) fn blocked_tasks() -> Vec<(usize, usize)> {
    WAIT_GRAPH.lock().pairs()
}

fn address(task: &RawTask) -> usize {
    task.as_raw().addr().get()
}
