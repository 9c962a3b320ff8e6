//! Who blocks its thread on whose end.
//!
//! A thread that blocks in a join holds up all tasks that stand on its stack: the one that joins,
//! and those that it runs inside. So each of them waits for the task that is joined. If that one
//! stands on the stack of a thread that is blocked too, it waits in turn, and so on; where the
//! chain comes back to the thread that is about to block, nobody in it will ever go on, and the
//! join is refused instead. The last to block finds it, as all blocking goes through one lock.
//!
//! Tasks are known by their addresses: those on a stack run, and the joined one is kept by its
//! handle, so that all of them are alive.

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;
use std::collections::HashMap;
use std::task::Waker;

/// All threads of the process that block in joins.
#[cfg(not(all(test, shuttle)))]
pub(super) static WAIT_GRAPH: PerProcess<WaitGraph> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    pub(super) static ref WAIT_GRAPH: Mutex<WaitGraph> = Mutex::new(WaitGraph::default());
}

/// Who waits for whom.
#[derive(Debug, Default)]
pub(in crate::task) struct WaitGraph {
    /// The blocked threads, by numbers of their own.
    blocked: HashMap<u64, BlockedThread>,
    /// On which of them a task stands.
    thread_of_task: HashMap<usize, u64>,
    last: u64,
}

#[derive(Debug)]
struct BlockedThread {
    /// The tasks on the thread's stack.
    stack: Box<[usize]>,
    target: usize,
    runtime_ids: RuntimeIds,
    waker: Waker,
}

/// The schedulers that a blocked thread has to do with; zero where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RuntimeIds {
    /// The one that the target belongs to.
    pub(in crate::task) target: usize,
    /// The one whose worker the thread is.
    pub(in crate::task) worker: usize,
    /// The one whose task the thread polls.
    pub(in crate::task) polls: usize,
}

impl RuntimeIds {
    fn contains(self, runtime_id: usize) -> bool {
        [self.target, self.worker, self.polls].contains(&runtime_id)
    }
}

/// The threads of a scheduler that wait, by their joins, for tasks of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dependents {
    /// Workers of the scheduler.
    pub(crate) workers: usize,
    /// Threads that poll a task of the scheduler, workers or not.
    pub(crate) polls: usize,
}

/// The wait would have no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deadlock;

impl WaitGraph {
    /// A thread with those tasks on its stack is about to block until `target` is complete.
    ///
    /// # Errors
    ///
    /// [`Deadlock`] if the target waits for one of those tasks, or is one.
    pub(in crate::task) fn begin(
        &mut self,
        stack: Box<[usize]>,
        target: usize,
        runtime_ids: RuntimeIds,
        waker: Waker,
    ) -> Result<u64, Deadlock> {
        if self.waits_for(target, &stack) {
            return Err(Deadlock);
        }
        self.last += 1;
        let key = self.last;
        self.thread_of_task
            .extend(stack.iter().map(|&task| (task, key)));
        let blocked = BlockedThread {
            stack,
            target,
            runtime_ids,
            waker,
        };
        self.blocked.insert(key, blocked);
        Ok(key)
    }

    /// Returns `true` if the task is one of those, or waits for one of them by the joins of its thread.
    fn waits_for(&self, task: usize, stack: &[usize]) -> bool {
        let mut next = Some(task);
        while let Some(task) = next {
            if stack.contains(&task) {
                return true;
            }
            let thread = self.thread_of_task.get(&task);
            next = thread.and_then(|thread| Some(self.blocked.get(thread)?.target));
        }
        false
    }

    /// The threads of a scheduler that wait for a thread with those tasks on its stack.
    pub(super) fn dependents(&self, runtime_id: usize, stack: &[usize]) -> Dependents {
        let blocked = self.blocked.values();
        let behind = blocked.filter(|it| self.waits_for(it.target, stack));
        behind.fold(Dependents::default(), |dependents, it| Dependents {
            workers: dependents.workers + usize::from(it.runtime_ids.worker == runtime_id),
            polls: dependents.polls + usize::from(it.runtime_ids.polls == runtime_id),
        })
    }

    /// The thread goes on.
    pub(in crate::task) fn end(&mut self, key: u64) {
        if let Some(blocked) = self.blocked.remove(&key) {
            for task in &blocked.stack {
                self.thread_of_task.remove(task);
            }
        }
    }

    /// Who waits for whom: on a stack each for the next, and the last for the one that is joined.
    pub(in crate::task) fn pairs(&self) -> Vec<(usize, usize)> {
        let blocked = self.blocked.values();
        let of_stack = |it: &BlockedThread| {
            let targets = it.stack.iter().skip(1).chain([&it.target]).copied();
            it.stack.iter().copied().zip(targets).collect::<Vec<_>>()
        };
        blocked.flat_map(of_stack).collect()
    }

    /// The wakers of the threads that wait for tasks of a scheduler, or are its workers.
    pub(in crate::task) fn wakers(&self, runtime_id: usize) -> Vec<Waker> {
        let waiting = self
            .blocked
            .values()
            .filter(|it| it.runtime_ids.contains(runtime_id));
        waiting.map(|it| it.waker.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Deadlock, Dependents, RuntimeIds, WaitGraph};
    use std::task::Waker;

    fn begin(waits: &mut WaitGraph, stack: &[usize], target: usize) -> Result<u64, Deadlock> {
        let runtime_ids = RuntimeIds {
            target: 1,
            worker: 2,
            polls: 3,
        };
        waits.begin(stack.into(), target, runtime_ids, Waker::noop().clone())
    }

    #[test]
    fn task_on_the_own_stack_is_refused() {
        let mut waits = WaitGraph::default();
        assert_eq!(begin(&mut waits, &[1, 2, 3], 1), Err(Deadlock));
        assert_eq!(begin(&mut waits, &[1, 2, 3], 3), Err(Deadlock));
        assert!(begin(&mut waits, &[1, 2, 3], 4).is_ok());
    }

    #[test]
    fn last_of_a_circle_is_refused() {
        let mut waits = WaitGraph::default();
        begin(&mut waits, &[1, 10], 2).unwrap();
        begin(&mut waits, &[2], 3).unwrap();
        assert_eq!(begin(&mut waits, &[30, 3], 10), Err(Deadlock));
        assert_eq!(begin(&mut waits, &[30, 3], 1), Err(Deadlock));
        begin(&mut waits, &[30, 3], 4).unwrap();
    }

    #[test]
    fn all_on_a_stack_wait_for_the_next() {
        let mut waits = WaitGraph::default();
        begin(&mut waits, &[1, 2, 3], 4).unwrap();
        begin(&mut waits, &[], 5).unwrap();
        assert_eq!(waits.pairs(), [(1, 2), (2, 3), (3, 4)]);
    }

    #[test]
    fn wait_that_is_over_closes_no_circle() {
        let mut waits = WaitGraph::default();
        let first = begin(&mut waits, &[1], 2).unwrap();
        waits.end(first);
        begin(&mut waits, &[2], 1).unwrap();
        assert_eq!(
            [4, 1, 2].map(|runtime_id| waits.wakers(runtime_id).len()),
            [0, 1, 1]
        );
    }

    #[test]
    fn threads_behind_a_stack_are_held_up() {
        let mut waits = WaitGraph::default();
        begin(&mut waits, &[1], 2).unwrap();
        begin(&mut waits, &[2, 3], 4).unwrap();
        begin(&mut waits, &[5], 6).unwrap();
        let dependents = |workers, polls| Dependents { workers, polls };
        assert_eq!(waits.dependents(2, &[4]), dependents(2, 0));
        assert_eq!(waits.dependents(3, &[4, 6]), dependents(0, 3));
        assert_eq!(waits.dependents(2, &[2]), dependents(1, 0));
        assert_eq!(waits.dependents(2, &[1]), dependents(0, 0));
        assert_eq!(waits.dependents(9, &[4]), dependents(0, 0));
    }

    #[test]
    fn threads_without_tasks_hold_nobody_up() {
        let mut waits = WaitGraph::default();
        begin(&mut waits, &[], 1).unwrap();
        begin(&mut waits, &[1], 2).unwrap();
        begin(&mut waits, &[], 1).unwrap();
        assert_eq!(begin(&mut waits, &[2], 1), Err(Deadlock));
    }
}
