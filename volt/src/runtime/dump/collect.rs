//! `DumpBuilder`: collects the tasks and jobs of a runtime.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant, SystemTime};

use super::blocked::{BlockedFutures, BlockedThread};
use super::dump::{Dump, RuntimeState};
use super::thread_activity::inspect_thread;
use super::tree::{Forest, ValueLimit};
use super::waits::{far_timers, overdue_timers, socket_waits, woken_children};
use crate::runtime::handle::Handle;
use crate::runtime::pool::BlockingPool;
use crate::scheduler::{self, SlowPoll};
use crate::task::{self, Lifecycle, TaskId, TaskInfo, TaskRef};

/// The age up to which a dump has slow polls.
const RECENT: Duration = Duration::from_secs(60);

/// The note in a dump of a runtime that belongs to the parent process.
const INHERITED: &str =
    "this process was forked: the tasks of the runtime exist only in the parent";

/// The number of jobs whose threads are inspected. Each takes three reads of `/proc`.
const MAX_JOB_THREADS: usize = 16;

impl Handle {
    /// Returns a list of the live tasks and blocking jobs: their ids and names, their states, and
    /// the tasks that they wait for. No task is stopped or polled.
    ///
    /// In a fork of the process, the dump has no tasks and takes no lock, because another thread of
    /// the parent may have had it.
    pub fn dump(&self) -> Dump {
        if self.driver().is_inherited() {
            return self.empty_dump();
        }
        let mut builder = DumpBuilder::new(&self.scheduler);
        // The threads answer while the tasks are inspected.
        let futures = builder.request_futures(&self.scheduler, |_| true);
        builder.add_tasks(&self.scheduler);
        builder.add_jobs(&self.blocking, self.blocking.jobs());
        builder.add_futures(futures);
        // `build` reads the time last, so no recorded time is later.
        builder.build(&self.scheduler)
    }

    /// Returns a dump of one task, or `None` if it is not live.
    #[must_use]
    pub fn dump_task(&self, id: TaskId) -> Option<Dump> {
        self.dump_one(id, ValueLimit::None)
    }

    /// Returns a dump of one task with the values that its futures store, or `None` if it is not
    /// live.
    ///
    /// The values are those that an [`Inspect`](volt_inspect::Inspect) implementation reports.
    /// Their [`Debug`](std::fmt::Debug) implementations run on this thread, while no thread can
    /// poll the task. So they must not wait for the task. A text of more than 160 bytes is cut, and
    /// so is all text beyond 4 KiB. If `Debug` panics, the text is `<panicked>`.
    ///
    /// Values can be confidential, so this is a method of its own.
    #[must_use]
    pub fn dump_task_with_values(&self, id: TaskId) -> Option<Dump> {
        self.dump_one(id, ValueLimit::DEFAULT)
    }

    /// Returns a dump without tasks.
    pub(super) fn empty_dump(&self) -> Dump {
        Dump::without_tasks(&self.scheduler)
    }

    fn dump_one(&self, id: TaskId, values: ValueLimit) -> Option<Dump> {
        if self.driver().is_inherited() {
            return None;
        }
        let mut builder = DumpBuilder::new(&self.scheduler);
        builder.values = values;
        let futures = builder.request_futures(&self.scheduler, |future| future == id);
        builder.add_tasks_if(&self.scheduler, |task| task.id() == id);
        let jobs = self.blocking.jobs().into_iter();
        let job = jobs.filter(|job| job.id() == id).collect();
        builder.add_jobs(&self.blocking, job);
        builder.add_futures(futures);
        (!builder.tasks.is_empty()).then(|| builder.build(&self.scheduler))
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

    /// Returns a dump without tasks. In a fork of the process, it has a note.
    pub(in crate::runtime) fn without_tasks(scheduler: &scheduler::SchedulerHandle) -> Self {
        DumpBuilder::new(scheduler).build(scheduler)
    }

    /// Returns a dump without contents, which began at this time.
    fn empty(scheduler: &scheduler::SchedulerHandle, began: Instant) -> Self {
        let runtime = RuntimeState {
            id: scheduler.runtime_id(),
            name: scheduler.name().map(ToOwned::to_owned),
            stats: scheduler.stats(),
            has_backtraces: scheduler.has_backtraces(),
        };
        let end = Instant::now();
        Self {
            tasks: Vec::new(),
            forest: Forest::default(),
            blocked: Vec::new(),
            threads: Vec::new(),
            socket_waits: Vec::new(),
            timers: 0,
            far_timers: Vec::new(),
            overdue_timers: Vec::new(),
            woken_children: Vec::new(),
            slow_polls: Vec::new(),
            #[cfg(feature = "inspect")]
            poll_samples: Vec::new(),
            #[cfg(feature = "inspect")]
            growth: Vec::new(),
            runtime,
            #[cfg(feature = "inspect")]
            by_poll: None,
            now: task::coarse_timestamp(end),
            taken: SystemTime::now(),
            took: end.duration_since(began),
            note: None,
        }
    }
}

/// Collects the tasks of a dump.
struct DumpBuilder {
    began: Instant,
    tasks: Vec<TaskInfo>,
    forest: Forest,
    values: ValueLimit,
    /// The address of each task in the list.
    addresses: Vec<usize>,
    /// The addresses and ids of tasks that are not in the list.
    others: Vec<(usize, TaskId)>,
    /// Pairs of addresses: a waiting task, and the task that it waits for.
    waits: Vec<(usize, usize)>,
    blocked: Vec<BlockedThread>,
    /// The ids of the threads of jobs, by the ids of the jobs.
    job_threads: HashMap<TaskId, u32>,
    /// The vtables of the wakers of the futures of `block_on`, as addresses.
    vtables: Vec<usize>,
}

impl DumpBuilder {
    fn new(scheduler: &scheduler::SchedulerHandle) -> Self {
        let capacity = scheduler.stats().alive;
        Self {
            began: Instant::now(),
            tasks: Vec::with_capacity(capacity),
            forest: Forest::hiding(scheduler.secret_types()),
            values: ValueLimit::None,
            addresses: Vec::with_capacity(capacity),
            others: Vec::new(),
            waits: Vec::new(),
            blocked: Vec::new(),
            job_threads: HashMap::new(),
            vtables: Vec::new(),
        }
    }

    /// Requests the trees of the futures of `block_on`.
    fn request_futures(
        &mut self,
        scheduler: &scheduler::SchedulerHandle,
        is_wanted: impl Fn(TaskId) -> bool,
    ) -> BlockedFutures {
        let (runtime_id, secrets) = (scheduler.runtime_id(), scheduler.secret_types());
        let futures = BlockedFutures::request(runtime_id, is_wanted, self.values, secrets);
        self.vtables = futures.waker_vtables();
        futures
    }

    /// Adds the futures of `block_on`, after all tasks and jobs.
    fn add_futures(&mut self, futures: BlockedFutures) {
        let (tasks, addresses) = (&mut self.tasks, &mut self.addresses);
        self.blocked = futures.collect(&mut self.forest, |info, address| {
            tasks.push(info);
            addresses.push(address);
        });
    }

    fn add_tasks(&mut self, scheduler: &scheduler::SchedulerHandle) {
        self.add_tasks_if(scheduler, |_| true);
    }

    fn add_tasks_if(
        &mut self,
        scheduler: &scheduler::SchedulerHandle,
        is_wanted: impl Fn(&TaskRef) -> bool,
    ) {
        let mut inside = None;
        scheduler.registry().for_each(|task| {
            if !is_wanted(task) {
                self.others.push((task.address(), task.id()));
                self.add_awaiter(task);
                return;
            }
            let mut info = self.forest.inspect(task, self.values);
            if info.lifecycle == Lifecycle::Running {
                let inside = inside.get_or_insert_with(task::inline_polled_tasks);
                match scheduler.worker_of(info.id) {
                    Some((worker, thread)) => {
                        info.worker = u16::try_from(worker).ok();
                        info.thread = thread.map(Into::into);
                    }
                    None => info.thread = inside.get(&info.id).map(|name| name.as_str().into()),
                }
            }
            self.add(task, info);
        });
    }

    fn add_jobs(&mut self, pool: &BlockingPool, jobs: Vec<TaskRef>) {
        self.job_threads = pool.job_threads();
        for job in jobs {
            let mut info = job.inspect();
            if info.lifecycle == Lifecycle::Complete {
                continue;
            }
            info.blocking = true;
            if info.lifecycle == Lifecycle::Running {
                info.thread = Some(pool.thread_name().into());
            }
            self.add(&job, info);
        }
    }

    fn add(&mut self, task: &TaskRef, info: TaskInfo) {
        self.addresses.push(task.address());
        self.add_awaiter(task);
        self.tasks.push(info);
    }

    fn add_awaiter(&mut self, task: &TaskRef) {
        let awaiter = task.awaiter(&self.vtables);
        let waits = awaiter.map(|awaiter| (awaiter, task.address()));
        self.waits.extend(waits);
    }

    /// Stores the ids of awaited tasks in the tasks that wait for them.
    fn add_waits(&mut self) {
        self.waits.extend(task::blocked_tasks());
        let (indices, ids) = self.waiting_tasks();
        for (waiting, awaited) in &self.waits {
            // A task can be missing: it is of another runtime, or it has ended meanwhile.
            if let (Some(&waiting), Some(&awaited)) = (indices.get(waiting), ids.get(awaited)) {
                self.tasks[waiting].waits_for.push(awaited);
            }
        }
    }

    /// Stores the holders of locks in the tasks that wait for nothing else.
    fn add_holders(&mut self) {
        for task in &mut self.tasks {
            let holder = self.forest.holder_of_lock(task);
            task.waits_for.extend(holder);
        }
    }

    /// Returns, for each task that waits or is awaited, the index in the list and the id, by its
    /// address. Most tasks of a large dump are neither, so the maps are small.
    fn waiting_tasks(&self) -> (HashMap<usize, usize>, HashMap<usize, TaskId>) {
        let wanted = self.waits.iter().flat_map(|pair| [pair.0, pair.1]);
        let wanted: HashSet<usize> = wanted.collect();
        let (mut indices, mut ids) = (HashMap::new(), HashMap::new());
        if wanted.is_empty() {
            return (indices, ids);
        }
        for (index, (address, task)) in self.addresses.iter().zip(&self.tasks).enumerate() {
            if wanted.contains(address) {
                indices.insert(*address, index);
                ids.insert(*address, task.id);
            }
        }
        let others = self.others.iter().copied();
        ids.extend(others.filter(|(address, _)| wanted.contains(address)));
        (indices, ids)
    }

    /// Forgets the threads of all jobs but those that have run for the longest time.
    fn keep_longest_jobs(&mut self) {
        if self.job_threads.len() <= MAX_JOB_THREADS {
            return;
        }
        let now = task::coarse_timestamp(Instant::now());
        let jobs = self.tasks.iter().filter(|task| task.blocking);
        let mut jobs: Vec<_> = jobs
            .map(|job| (Reverse(task::time_between(job.since, now)), job.id))
            .collect();
        jobs.sort_unstable();
        let longest = jobs.into_iter().take(MAX_JOB_THREADS);
        let longest: HashSet<TaskId> = longest.map(|(_, id)| id).collect();
        self.job_threads.retain(|id, _| longest.contains(id));
    }

    fn build(mut self, scheduler: &scheduler::SchedulerHandle) -> Dump {
        if scheduler.driver().is_inherited() {
            let note = Some(INHERITED);
            return Dump {
                note,
                ..Dump::empty(scheduler, self.began)
            };
        }
        self.add_waits();
        self.add_holders();
        self.forest.add_awaited_places(&self.tasks);
        let end = Instant::now();
        let empty = Dump::empty(scheduler, self.began);
        self.keep_longest_jobs();
        let threads = self.tasks.iter().filter_map(|task| {
            let running_for = task::time_between(task.since, empty.now);
            let job_thread = self.job_threads.get(&task.id).copied();
            inspect_thread(scheduler, task, job_thread, running_for)
        });
        let threads = threads.collect();
        let ids = || self.tasks.iter().map(|task| task.id);
        Dump {
            threads,
            socket_waits: socket_waits(scheduler.driver(), &self.addresses, ids()),
            timers: scheduler.driver().timers(),
            far_timers: far_timers(scheduler.driver(), &self.addresses, ids()),
            overdue_timers: overdue_timers(scheduler.driver(), &self.addresses, ids()),
            slow_polls: recent_slow_polls(scheduler, end),
            woken_children: woken_children(&self.addresses, ids()),
            tasks: self.tasks,
            forest: self.forest,
            blocked: self.blocked,
            ..empty
        }
    }
}

/// Returns the slow polls that have ended in the minute before `end`.
fn recent_slow_polls(scheduler: &scheduler::SchedulerHandle, end: Instant) -> Vec<SlowPoll> {
    let mut polls = scheduler.slow_polls();
    polls.retain(|slow| end.saturating_duration_since(slow.ended()) <= RECENT);
    polls
}
