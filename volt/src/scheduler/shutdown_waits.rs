//! The wait-for graph of shutdowns: threads that wait for the end of a scheduler, and schedulers
//! that wait for threads.
//!
//! A task may shut down another runtime, by dropping it. Its thread then waits for the workers of
//! that runtime, and is itself a worker of one, or polls a task for one. If one of those workers
//! runs a task that waits for the shutdown of the first scheduler, neither would ever continue. All
//! such waits are in one list. A thread whose wait would close a cycle finds it there, and does not
//! wait for the threads in the cycle.
//!
//! A worker may also be in a join whose task or blocking job shuts down the scheduler; see
//! [`task::dependents_of_this_thread`]. Such a join may begin after the other thread has begun to
//! wait. So a thread that begins a join on a stopping scheduler makes the waiting thread check
//! again.

#[cfg(not(all(test, shuttle)))]
use crate::loom::PerProcess;
#[cfg(all(test, shuttle))]
use crate::loom::sync::Mutex;
use std::num::NonZeroUsize;

use super::worker::{foreign_polls, with_worker};
use crate::task;

#[cfg(not(all(test, shuttle)))]
static GRAPH: PerProcess<ShutdownWaitGraph> = PerProcess::new();

#[cfg(all(test, shuttle))]
shuttle::lazy_static! {
    static ref GRAPH: Mutex<ShutdownWaitGraph> = Mutex::new(ShutdownWaitGraph::default());
}

/// The threads of the process that wait for the end of a scheduler.
#[derive(Debug, Default)]
struct ShutdownWaitGraph {
    last: u64,
    waits: Vec<ShutdownWait>,
}

#[derive(Debug)]
struct ShutdownWait {
    key: u64,
    thread: ThreadRole,
    /// The scheduler for whose end it waits.
    target: NonZeroUsize,
}

/// The relation of a thread to schedulers.
#[derive(Clone, Debug, Default)]
struct ThreadRole {
    /// The scheduler whose worker it is. A thread whose core moved to another thread is not a
    /// worker: it only polls.
    worker_of: Option<NonZeroUsize>,
    /// The schedulers whose tasks it polls otherwise.
    polls_for: Vec<NonZeroUsize>,
}

/// A guard for the time during which this thread waits for the end of a scheduler.
#[derive(Debug)]
pub(super) struct ShutdownWaitGuard {
    key: u64,
    target: NonZeroUsize,
    /// This thread is one of its workers.
    is_worker: bool,
    /// The number of its threads that cannot end before this thread continues, because of other
    /// shutdowns.
    blocked_by_shutdowns: usize,
}

impl ThreadRole {
    fn of_this_thread() -> Self {
        let mut polls_for = foreign_polls();
        polls_for.extend(task::runtime_id_of_current());
        Self {
            worker_of: with_worker(|worker| {
                let worker =
                    worker.filter(|worker| worker.detached_busy_guard.borrow().is_none())?;
                Some(super::scheduler_handle::runtime_id(worker.shared()))
            }),
            polls_for,
        }
    }

    /// Returns `true` if the shutdown of that scheduler waits for this thread.
    fn blocks_shutdown_of(&self, runtime_id: NonZeroUsize) -> bool {
        self.worker_of == Some(runtime_id) || self.polls_for.contains(&runtime_id)
    }
}

impl ShutdownWaitGraph {
    /// Returns the number of threads of `target` that cannot end before the `thread` continues.
    fn blocked_threads(&self, target: NonZeroUsize, thread: &ThreadRole) -> usize {
        let by_thread = |wait: &&ShutdownWait| {
            wait.thread.blocks_shutdown_of(target)
                && self.depends_on(wait.target, thread, &mut Vec::new())
        };
        let others = self.waits.iter().filter(by_thread);
        let (workers, pollers): (Vec<_>, Vec<_>) =
            others.partition(|wait| wait.thread.worker_of == Some(target));
        // The last worker waits for all foreign polls. If workers are in the cycle, it is one of
        // them.
        let is_polled = !pollers.is_empty() || thread.polls_for.contains(&target);
        let is_worker = thread.worker_of == Some(target);
        workers.len().max(usize::from(is_polled && !is_worker))
    }

    /// Returns `true` if the shutdown of `runtime_id` waits for the `thread`, directly or by other
    /// shutdowns.
    fn depends_on(
        &self,
        runtime_id: NonZeroUsize,
        thread: &ThreadRole,
        seen: &mut Vec<NonZeroUsize>,
    ) -> bool {
        if thread.blocks_shutdown_of(runtime_id) {
            return true;
        }
        if seen.contains(&runtime_id) {
            return false;
        }
        seen.push(runtime_id);
        let mut waits = self
            .waits
            .iter()
            .filter(|wait| wait.thread.blocks_shutdown_of(runtime_id));
        waits.any(|wait| self.depends_on(wait.target, thread, seen))
    }
}

impl ShutdownWaitGuard {
    /// Records that this thread waits for the end of `target`.
    pub(super) fn begin(target: NonZeroUsize) -> Self {
        let thread = ThreadRole::of_this_thread();
        let mut graph = GRAPH.lock();
        let blocked_by_shutdowns = graph.blocked_threads(target, &thread);
        let is_worker = thread.worker_of == Some(target);
        graph.last += 1;
        let key = graph.last;
        graph.waits.push(ShutdownWait {
            key,
            thread,
            target,
        });
        Self {
            key,
            target,
            is_worker,
            blocked_by_shutdowns,
        }
    }

    /// Returns the number of threads of that scheduler that cannot end before this thread
    /// continues.
    pub(super) fn blocked_threads(&self) -> usize {
        let by_joins = task::dependents_of_this_thread(self.target);
        // The polls of those threads block the last worker to end, which is none of them: a thread
        // in a join moves its core to another thread when the shutdown begins.
        let last = by_joins.polls > 0 && !self.is_worker && self.blocked_by_shutdowns == 0;
        self.blocked_by_shutdowns + by_joins.workers + usize::from(last)
    }
}

impl Drop for ShutdownWaitGuard {
    fn drop(&mut self) {
        GRAPH.lock().waits.retain(|wait| wait.key != self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::{ShutdownWait, ShutdownWaitGraph, ThreadRole};
    use std::num::NonZeroUsize;

    fn runtime_id(number: usize) -> NonZeroUsize {
        NonZeroUsize::new(number).expect("not zero")
    }

    fn worker(number: usize) -> ThreadRole {
        ThreadRole {
            worker_of: Some(runtime_id(number)),
            polls_for: Vec::new(),
        }
    }

    fn poller(number: usize) -> ThreadRole {
        ThreadRole {
            worker_of: None,
            polls_for: vec![runtime_id(number)],
        }
    }

    fn graph(waits: &[(ThreadRole, usize)]) -> ShutdownWaitGraph {
        let wait = |(thread, target): &(ThreadRole, usize)| ShutdownWait {
            key: 0,
            thread: thread.clone(),
            target: runtime_id(*target),
        };
        ShutdownWaitGraph {
            last: 0,
            waits: waits.iter().map(wait).collect(),
        }
    }

    #[test]
    fn wait_without_a_cycle_blocks_no_thread() {
        let graph = graph(&[(worker(1), 2), (worker(3), 1)]);
        assert_eq!(graph.blocked_threads(runtime_id(4), &worker(1)), 0);
        assert_eq!(graph.blocked_threads(runtime_id(2), &worker(3)), 0);
        assert_eq!(
            graph.blocked_threads(runtime_id(1), &ThreadRole::default()),
            0
        );
    }

    #[test]
    fn cycle_blocks_its_workers() {
        assert_eq!(
            graph(&[(worker(1), 2)]).blocked_threads(runtime_id(1), &worker(2)),
            1
        );
        let long = graph(&[
            (worker(1), 2),
            (worker(2), 3),
            (worker(1), 3),
            (worker(1), 9),
        ]);
        assert_eq!(long.blocked_threads(runtime_id(1), &worker(3)), 2);
    }

    #[test]
    fn foreign_poll_blocks_the_last_worker() {
        let both = graph(&[(poller(1), 2), (poller(1), 2), (worker(1), 2)]);
        assert_eq!(both.blocked_threads(runtime_id(1), &worker(2)), 1);
        assert_eq!(graph(&[]).blocked_threads(runtime_id(1), &poller(1)), 1);
        assert_eq!(
            graph(&[]).blocked_threads(runtime_id(1), &worker(1)),
            0,
            "it is not waited for at all"
        );
    }
}
