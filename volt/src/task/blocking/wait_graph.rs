//! The wait-for graph of blocking joins.
//!
//! A thread that blocks in a join blocks all tasks on its stack: the task that joins, and the tasks
//! in whose polls it runs. So each of them waits for the target of the join. If the target is on
//! the stack of another blocked thread, it waits in turn, and so on. If this chain leads back to
//! the thread that is about to block, no thread in it would ever continue, and the join is refused.
//! All joins register under one lock, so the last thread of a cycle detects it.
//!
//! The graph identifies tasks by their addresses. They are unique, because a task on a stack runs,
//! and the handle of the join keeps the target alive.

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;
use std::collections::HashMap;
use std::task::Waker;

/// The graph of all threads of the process that block in joins.
#[cfg(not(all(test, shuttle)))]
pub(super) static WAIT_GRAPH: PerProcess<WaitGraph> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    pub(super) static ref WAIT_GRAPH: Mutex<WaitGraph> = Mutex::new(WaitGraph::default());
}

/// The blocked threads, and the tasks on their stacks.
#[derive(Debug, Default)]
pub(in crate::task) struct WaitGraph {
    /// The blocked threads, by a key for each join.
    blocked: HashMap<u64, BlockedThread>,
    /// The blocked thread on whose stack a task is.
    thread_of_task: HashMap<usize, u64>,
    last: u64,
}

#[derive(Debug)]
struct BlockedThread {
    /// The tasks on the stack of the thread, the outermost first.
    stack: Box<[usize]>,
    target: usize,
    runtime_ids: RuntimeIds,
    waker: Waker,
}

/// The runtimes that concern a blocked thread, or zero for none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RuntimeIds {
    /// The runtime of the target.
    pub(in crate::task) target: usize,
    /// The runtime whose worker the thread is.
    pub(in crate::task) worker: usize,
    /// The runtime of the task that the thread polls.
    pub(in crate::task) polls: usize,
}

impl RuntimeIds {
    fn contains(self, runtime_id: usize) -> bool {
        [self.target, self.worker, self.polls].contains(&runtime_id)
    }
}

/// The number of threads of a runtime that wait, by their joins, for tasks on one stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dependents {
    /// The workers of the runtime.
    pub(crate) workers: usize,
    /// The threads that poll a task of the runtime, including workers.
    pub(crate) polls: usize,
}

/// The error of a join that would never return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deadlock;

impl WaitGraph {
    /// Adds a thread with the tasks of `stack` that blocks until `target` is complete.
    ///
    /// # Errors
    ///
    /// Returns [`Deadlock`] if the target is one of these tasks, or waits for one.
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

    /// Returns `true` if the task is in `stack`, or waits for a task in it.
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

    /// Counts the threads of a runtime that wait for a task in `stack`.
    pub(super) fn dependents(&self, runtime_id: usize, stack: &[usize]) -> Dependents {
        let blocked = self.blocked.values();
        let waiting = blocked.filter(|thread| self.waits_for(thread.target, stack));
        waiting.fold(Dependents::default(), |dependents, thread| Dependents {
            workers: dependents.workers + usize::from(thread.runtime_ids.worker == runtime_id),
            polls: dependents.polls + usize::from(thread.runtime_ids.polls == runtime_id),
        })
    }

    /// Removes the thread of a join that has ended.
    pub(in crate::task) fn end(&mut self, key: u64) {
        if let Some(blocked) = self.blocked.remove(&key) {
            for task in &blocked.stack {
                self.thread_of_task.remove(task);
            }
        }
    }

    /// Returns the edges of the graph. Each task on a stack waits for the next, and the last one
    /// for the target.
    pub(in crate::task) fn edges(&self) -> Vec<(usize, usize)> {
        let blocked = self.blocked.values();
        let edges = |thread: &BlockedThread| {
            let tasks = thread.stack.iter().copied();
            let targets = thread.stack.iter().skip(1).chain([&thread.target]);
            tasks.zip(targets.copied()).collect::<Vec<_>>()
        };
        blocked.flat_map(edges).collect()
    }

    /// Returns the wakers of the threads that concern a runtime.
    pub(in crate::task) fn wakers(&self, runtime_id: usize) -> Vec<Waker> {
        let waiting = self
            .blocked
            .values()
            .filter(|thread| thread.runtime_ids.contains(runtime_id));
        waiting.map(|thread| thread.waker.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Deadlock, Dependents, RuntimeIds, WaitGraph};
    use std::task::Waker;

    fn begin(graph: &mut WaitGraph, stack: &[usize], target: usize) -> Result<u64, Deadlock> {
        let runtime_ids = RuntimeIds {
            target: 1,
            worker: 2,
            polls: 3,
        };
        graph.begin(stack.into(), target, runtime_ids, Waker::noop().clone())
    }

    #[test]
    fn join_of_task_on_own_stack_is_refused() {
        let mut graph = WaitGraph::default();
        assert_eq!(begin(&mut graph, &[1, 2, 3], 1), Err(Deadlock));
        assert_eq!(begin(&mut graph, &[1, 2, 3], 3), Err(Deadlock));
        assert!(begin(&mut graph, &[1, 2, 3], 4).is_ok());
    }

    #[test]
    fn last_join_of_a_cycle_is_refused() {
        let mut graph = WaitGraph::default();
        begin(&mut graph, &[1, 10], 2).unwrap();
        begin(&mut graph, &[2], 3).unwrap();
        assert_eq!(begin(&mut graph, &[30, 3], 10), Err(Deadlock));
        assert_eq!(begin(&mut graph, &[30, 3], 1), Err(Deadlock));
        begin(&mut graph, &[30, 3], 4).unwrap();
    }

    #[test]
    fn tasks_on_a_stack_wait_for_the_next() {
        let mut graph = WaitGraph::default();
        begin(&mut graph, &[1, 2, 3], 4).unwrap();
        begin(&mut graph, &[], 5).unwrap();
        assert_eq!(graph.edges(), [(1, 2), (2, 3), (3, 4)]);
    }

    #[test]
    fn ended_join_closes_no_cycle() {
        let mut graph = WaitGraph::default();
        let first = begin(&mut graph, &[1], 2).unwrap();
        graph.end(first);
        begin(&mut graph, &[2], 1).unwrap();
        assert_eq!(
            [4, 1, 2].map(|runtime_id| graph.wakers(runtime_id).len()),
            [0, 1, 1]
        );
    }

    #[test]
    fn threads_waiting_for_a_stack_are_counted() {
        let mut graph = WaitGraph::default();
        begin(&mut graph, &[1], 2).unwrap();
        begin(&mut graph, &[2, 3], 4).unwrap();
        begin(&mut graph, &[5], 6).unwrap();
        let dependents = |workers, polls| Dependents { workers, polls };
        assert_eq!(graph.dependents(2, &[4]), dependents(2, 0));
        assert_eq!(graph.dependents(3, &[4, 6]), dependents(0, 3));
        assert_eq!(graph.dependents(2, &[2]), dependents(1, 0));
        assert_eq!(graph.dependents(2, &[1]), dependents(0, 0));
        assert_eq!(graph.dependents(9, &[4]), dependents(0, 0));
    }

    #[test]
    fn threads_without_tasks_close_no_cycle() {
        let mut graph = WaitGraph::default();
        begin(&mut graph, &[], 1).unwrap();
        begin(&mut graph, &[1], 2).unwrap();
        begin(&mut graph, &[], 1).unwrap();
        assert_eq!(begin(&mut graph, &[2], 1), Err(Deadlock));
    }
}
