//! `DumpBuilder`: collects the tasks and jobs of a runtime.

use std::collections::{HashMap, HashSet};
use std::time::{Instant, SystemTime};

use super::blocked_threads::blocked_threads;
use super::dump::{Dump, RuntimeState};
use super::thread_activity::inspect_thread;
use crate::runtime::handle::Handle;
use crate::runtime::pool::BlockingPool;
use crate::scheduler;
use crate::task::{self, Lifecycle, TaskInfo, TaskRef};

impl Handle {
    /// Returns a list of the live tasks and blocking jobs: their ids and names, their states, and
    /// the tasks that they wait for. No task is stopped or polled.
    pub fn dump(&self) -> Dump {
        let mut builder = DumpBuilder::new(&self.scheduler);
        builder.add_tasks(&self.scheduler);
        builder.add_jobs(&self.blocking, self.blocking.jobs());
        // `build` reads the time last, so no recorded time is later.
        let blocked = blocked_threads(self.scheduler.runtime_id());
        let mut dump = builder.build(&self.scheduler);
        dump.blocked = blocked;
        dump
    }
}

impl Dump {
    /// Lists the tasks that are left at shutdown, and the jobs that it waits for.
    pub(in crate::runtime) fn of_stuck(
        scheduler: &scheduler::SchedulerHandle,
        pool: &BlockingPool,
    ) -> Self {
        let mut builder = DumpBuilder::new(scheduler);
        builder.add_tasks(scheduler);
        builder.add_jobs(pool, pool.unfinished());
        builder.build(scheduler)
    }

    /// Lists all tasks, without the jobs.
    pub(in crate::runtime) fn of_tasks(scheduler: &scheduler::SchedulerHandle) -> Self {
        let mut builder = DumpBuilder::new(scheduler);
        builder.add_tasks(scheduler);
        builder.build(scheduler)
    }
}

/// Collects the tasks of a dump.
struct DumpBuilder {
    began: Instant,
    tasks: Vec<TaskInfo>,
    /// The address of each task in the list.
    addresses: Vec<usize>,
    /// Pairs of addresses: a waiting task, and the task that it waits for.
    waits: Vec<(usize, usize)>,
}

impl DumpBuilder {
    fn new(scheduler: &scheduler::SchedulerHandle) -> Self {
        let capacity = scheduler.stats().alive;
        Self {
            began: Instant::now(),
            tasks: Vec::with_capacity(capacity),
            addresses: Vec::with_capacity(capacity),
            waits: Vec::new(),
        }
    }

    fn add_tasks(&mut self, scheduler: &scheduler::SchedulerHandle) {
        let mut inside = None;
        scheduler.registry().for_each(|task| {
            let mut info = task.inspect();
            if info.lifecycle == Lifecycle::Running {
                let inside = inside.get_or_insert_with(task::inline_polled_tasks);
                match scheduler.worker_of(info.id) {
                    Some((worker, thread)) => (info.worker, info.thread) = (Some(worker), thread),
                    None => info.thread = inside.get(&info.id).cloned(),
                }
            }
            self.add(task, info);
        });
    }

    fn add_jobs(&mut self, pool: &BlockingPool, jobs: Vec<TaskRef>) {
        for job in jobs {
            let mut info = job.inspect();
            if info.lifecycle == Lifecycle::Complete {
                continue;
            }
            info.blocking = true;
            if info.lifecycle == Lifecycle::Running {
                info.thread = Some(pool.thread_name().to_owned());
            }
            self.add(&job, info);
        }
    }

    fn add(&mut self, task: &TaskRef, info: TaskInfo) {
        let address = task.address();
        self.addresses.push(address);
        let awaiter = task.awaiter();
        self.waits.extend(awaiter.map(|awaiter| (awaiter, address)));
        self.tasks.push(info);
    }

    /// Stores the ids of awaited tasks in the tasks that wait for them.
    fn add_waits(&mut self) {
        self.waits.extend(task::blocked_tasks());
        let indices = self.indices_of_waiting();
        for &(waiting, awaited) in &self.waits {
            let indices = (indices.get(&waiting), indices.get(&awaited));
            // A task can be missing: it is of another runtime, or it has ended meanwhile.
            if let (Some(&waiting), Some(&awaited)) = indices {
                let awaited = self.tasks[awaited].id;
                self.tasks[waiting].waits_for.push(awaited);
            }
        }
    }

    /// Returns the index of each task that waits or is awaited, by its address. Most tasks of a
    /// large dump are neither, so the map is small.
    fn indices_of_waiting(&self) -> HashMap<usize, usize> {
        let wanted = self.waits.iter().flat_map(|pair| [pair.0, pair.1]);
        let wanted: HashSet<usize> = wanted.collect();
        if wanted.is_empty() {
            return HashMap::new();
        }
        let addresses = self.addresses.iter().copied().zip(0..);
        let found = addresses.filter(|(address, _)| wanted.contains(address));
        found.collect()
    }

    fn build(mut self, scheduler: &scheduler::SchedulerHandle) -> Dump {
        self.add_waits();
        let runtime = RuntimeState {
            id: scheduler.runtime_id(),
            name: scheduler.name().map(ToOwned::to_owned),
            stats: scheduler.stats(),
        };
        let end = Instant::now();
        let now = task::coarse_timestamp(end);
        let threads = self.tasks.iter().filter_map(|task| {
            let running_for = task::time_between(task.since, now);
            inspect_thread(scheduler, task, running_for)
        });
        let threads = threads.collect();
        Dump {
            threads,
            tasks: self.tasks,
            blocked: Vec::new(),
            runtime,
            now,
            taken: SystemTime::now(),
            took: end.duration_since(self.began),
        }
    }
}
