//! A list of the live tasks, as text and as data.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use super::blocked_threads::{BlockedThread, blocked_threads};
use super::wait_cycles::wait_cycles;
use crate::machine::State;
use crate::runtime::handle::Handle;
use crate::runtime::pool::BlockingPool;
use crate::scheduler;
use crate::task::{self, Lifecycle, TaskId, TaskInfo, TaskRef};

/// Every live task of a runtime at about one moment.
///
/// Each task is looked at on its own, so the list is no snapshot of the whole. Jobs of the pool for
/// what blocks are in it too, and the threads that wait in `block_on`. Its text has a paragraph for each, for a machine with a line for each
/// machine that it is in, and names the circles in which tasks wait for each other:
///
/// ```text
/// task 17.1 "reader": idle, polled 3 times, last 25 ms ago, spawned at src/main.rs:10:9
///    Session at await read_frame, src/session.rs:52:30
///    in ReadFrame at await poll_fn, src/frame.rs:31:14
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Dump {
    tasks: Vec<TaskInfo>,
    blocked: Vec<BlockedThread>,
    now: u32,
}

impl Handle {
    /// Looks at every live task and blocking job: who it is, where it stands, and whom it waits for.
    /// Stops and polls nobody.
    pub fn dump(&self) -> Dump {
        Dump::of(&self.scheduler, &self.blocking)
    }
}

/// The most tasks that are named which one waits for.
const MAX_NAMED: usize = 3;

impl Dump {
    /// All tasks and jobs.
    fn of(scheduler: &scheduler::SchedulerHandle, pool: &BlockingPool) -> Self {
        let mut builder = DumpBuilder::default();
        builder.add_tasks(scheduler);
        builder.add_jobs(pool, pool.jobs());
        // The time is read last, in `finish`, so that nobody has waited since later.
        let blocked = blocked_threads(scheduler.runtime_id());
        let mut dump = builder.build();
        dump.blocked = blocked;
        dump
    }

    /// The tasks that are left at the end, and the jobs that it waits for.
    pub(in crate::runtime) fn of_stuck(
        scheduler: &scheduler::SchedulerHandle,
        pool: &BlockingPool,
    ) -> Self {
        let mut builder = DumpBuilder::default();
        builder.add_tasks(scheduler);
        builder.add_jobs(pool, pool.unfinished());
        builder.build()
    }

    /// All tasks that workers run.
    pub(in crate::runtime) fn of_tasks(scheduler: &scheduler::SchedulerHandle) -> Self {
        let mut builder = DumpBuilder::default();
        builder.add_tasks(scheduler);
        builder.build()
    }

    /// The tasks, in no order that means anything.
    #[must_use]
    pub fn tasks(&self) -> &[TaskInfo] {
        &self.tasks
    }

    /// How long one of its tasks has been at what it is at: how long it has been queued; how long
    /// its poll has gone on; or, if it waits, how long ago its last poll began. Workers builder at the
    /// clock every few polls, and this counts from the builder before. Zero if nobody knows, as of a
    /// task that was spawned or woken by a thread that is no worker, and not polled since. More than
    /// 49.7 days are shown without their multiples of 49.7 days.
    #[must_use]
    pub fn time_since(&self, task: &TaskInfo) -> Duration {
        self.until_now(task.since)
    }

    /// The threads that wait in `block_on`. What they wait for is no task, so these may be all
    /// there is to see of a program that hangs.
    #[must_use]
    pub fn blocked(&self) -> &[BlockedThread] {
        &self.blocked
    }

    /// How long such a thread has waited.
    #[must_use]
    pub fn blocked_for(&self, thread: &BlockedThread) -> Duration {
        self.until_now(thread.since)
    }

    fn until_now(&self, since: u32) -> Duration {
        let since = if since == 0 { self.now } else { since };
        task::time_between(since, self.now)
    }

    /// The circles in which tasks wait for each other, by awaits and by joins that block: unless
    /// one of them is cancelled, or waits for something else too, they do so for ever.
    #[must_use]
    pub fn wait_cycles(&self) -> Vec<Vec<TaskId>> {
        let waits = self.tasks.iter().map(|task| (task.id, &task.waits_for[..]));
        wait_cycles(&waits.collect())
    }

    fn write_task(&self, f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        let kind = if task.blocking {
            "blocking job"
        } else {
            "task"
        };
        write!(f, "{kind} {}", task.id)?;
        if let Some(name) = &task.name {
            write!(f, " {name:?}")?;
        }
        self.write_polls(f, task)?;
        Self::write_waits(f, task)?;
        if task.cancelled {
            f.write_str(", cancelled")?;
        }
        if task.shield > 0 {
            f.write_str(", shielded")?;
        }
        if task.orphaned {
            f.write_str(", with nobody left to wake it")?;
        }
        write!(f, ", spawned at {}", task.location)?;
        if task.lifecycle == Lifecycle::Running {
            // Nobody but its own thread can say where it stands.
            write!(f, ", a {}", task.type_name)?;
        }
        f.write_str("\n")?;
        Self::write_position(f, &task.position)?;
        for position in &task.within {
            f.write_str("   with\n")?;
            Self::write_position(f, position)?;
        }
        Ok(())
    }

    fn write_polls(&self, f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        let ago = self.time_since(task).as_millis();
        write!(f, ": {}", lifecycle(task))?;
        if task.lifecycle == Lifecycle::Running {
            write!(f, " for {ago} ms")?;
            match (&task.thread, task.worker) {
                (Some(thread), _) => write!(f, " on {thread}")?,
                (None, Some(worker)) => write!(f, " on worker {worker}")?,
                (None, None) => {}
            }
            return write!(f, " in poll {}", task.polls);
        }
        let is_queued = task.lifecycle == Lifecycle::Scheduled;
        if is_queued && task.since != 0 {
            write!(f, " for {ago} ms")?;
        }
        match task.polls {
            0 => f.write_str(", not polled yet"),
            1 if is_queued => f.write_str(", polled once"),
            n if is_queued => write!(f, ", polled {n} times"),
            1 => write!(f, ", polled once, {ago} ms ago"),
            n => write!(f, ", polled {n} times, last {ago} ms ago"),
        }
    }

    fn write_blocked(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for it in &self.blocked {
            let name = it.thread.as_deref().unwrap_or("without a name");
            let (ago, location) = (self.blocked_for(it).as_millis(), it.location);
            writeln!(
                f,
                "thread {name}: in block_on for {ago} ms, called at {location}"
            )?;
        }
        Ok(())
    }

    fn write_waits(f: &mut fmt::Formatter<'_>, task: &TaskInfo) -> fmt::Result {
        let all = &task.waits_for;
        for (nth, other) in all.iter().take(MAX_NAMED).enumerate() {
            let before = if nth == 0 { ", waits for task" } else { " and" };
            write!(f, "{before} {other}")?;
        }
        match all.len().saturating_sub(MAX_NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }

    fn write_cycles(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cycle in self.wait_cycles() {
            f.write_str("cycle:")?;
            for task in &cycle {
                write!(f, " task {task} waits for")?;
            }
            writeln!(f, " task {}", cycle[0])?;
        }
        Ok(())
    }

    fn write_position(f: &mut fmt::Formatter<'_>, position: &[&'static State]) -> fmt::Result {
        for (depth, state) in position.iter().enumerate() {
            let within = if depth == 0 { "" } else { "in " };
            let (machine, name) = (state.machine, state.name);
            let (file, line, column) = (state.file, state.line, state.column);
            writeln!(f, "   {within}{machine} at {name}, {file}:{line}:{column}")?;
        }
        Ok(())
    }
}

/// What is seen of the tasks, one after the other.
#[derive(Default)]
struct DumpBuilder {
    tasks: Vec<TaskInfo>,
    /// Where they are, and the place in the list.
    places: HashMap<usize, usize>,
    /// Addresses: who waits, and for whom.
    waits: Vec<(usize, usize)>,
}

impl DumpBuilder {
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
        self.places.insert(address, self.tasks.len());
        self.waits.extend(task.awaiter().map(|who| (who, address)));
        self.tasks.push(info);
    }

    fn build(mut self) -> Dump {
        self.waits.extend(task::blocked_tasks());
        for (who, whom) in self.waits {
            // Of another runtime, or gone since.
            let (Some(&who), Some(&whom)) = (self.places.get(&who), self.places.get(&whom)) else {
                continue;
            };
            let whom = self.tasks[whom].id;
            self.tasks[who].waits_for.push(whom);
        }
        let now = task::coarse_timestamp(Instant::now());
        Dump {
            tasks: self.tasks,
            blocked: Vec::new(),
            now,
        }
    }
}

pub(super) fn lifecycle(task: &TaskInfo) -> &'static str {
    match task.lifecycle {
        Lifecycle::Idle => "idle",
        Lifecycle::Scheduled => "queued",
        Lifecycle::Running => "running",
        Lifecycle::Complete => "complete",
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for task in &self.tasks {
            self.write_task(f, task)?;
        }
        self.write_cycles(f)?;
        self.write_blocked(f)?;
        match self.tasks.len() {
            1 => f.write_str("1 task"),
            count => write!(f, "{count} tasks"),
        }
    }
}
