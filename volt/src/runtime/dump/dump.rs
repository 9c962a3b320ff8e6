//! `Dump`: a list of the live tasks, as data and as text.

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

/// A list of the live tasks of a runtime; see [`Handle::dump`].
///
/// Each task is inspected on its own, so the list is not an atomic snapshot. It contains blocking
/// jobs too, and the threads that wait in `block_on`. The text of a dump has a paragraph for each
/// task. If the future of the task is a machine, a line shows its state, and a further line the
/// state of each machine that it awaits. The text also lists the cycles of tasks that wait for each
/// other:
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
    /// Returns a list of the live tasks and blocking jobs: their ids and names, their states, and
    /// the tasks that they wait for. No task is stopped or polled.
    pub fn dump(&self) -> Dump {
        Dump::of(&self.scheduler, &self.blocking)
    }
}

/// The maximum number of awaited tasks that the text of a task names.
const MAX_NAMED: usize = 3;

impl Dump {
    /// Lists all tasks and jobs.
    fn of(scheduler: &scheduler::SchedulerHandle, pool: &BlockingPool) -> Self {
        let mut builder = DumpBuilder::default();
        builder.add_tasks(scheduler);
        builder.add_jobs(pool, pool.jobs());
        // `build` reads the time last, so no recorded time is later.
        let blocked = blocked_threads(scheduler.runtime_id());
        let mut dump = builder.build();
        dump.blocked = blocked;
        dump
    }

    /// Lists the tasks that are left at shutdown, and the jobs that it waits for.
    pub(in crate::runtime) fn of_stuck(
        scheduler: &scheduler::SchedulerHandle,
        pool: &BlockingPool,
    ) -> Self {
        let mut builder = DumpBuilder::default();
        builder.add_tasks(scheduler);
        builder.add_jobs(pool, pool.unfinished());
        builder.build()
    }

    /// Lists all tasks, without the jobs.
    pub(in crate::runtime) fn of_tasks(scheduler: &scheduler::SchedulerHandle) -> Self {
        let mut builder = DumpBuilder::default();
        builder.add_tasks(scheduler);
        builder.build()
    }

    /// Returns the tasks, in no particular order.
    #[must_use]
    pub fn tasks(&self) -> &[TaskInfo] {
        &self.tasks
    }

    /// Returns the time that a task of this dump has been in its state.
    ///
    /// For a queued task, it is the time in the queue. For a running task, it is the time since the
    /// poll began; for an idle task, the time since the last poll began. Workers read the clock
    /// once every few polls, and the time counts from the read before. The time is zero if it is
    /// unknown: the task was spawned or woken by a thread that is not a worker, and not polled
    /// since. The result is modulo 49.7 days.
    #[must_use]
    pub fn time_since(&self, task: &TaskInfo) -> Duration {
        self.until_now(task.since)
    }

    /// Returns the threads that wait in `block_on`.
    ///
    /// Their futures are not tasks. So a program that hangs may have no tasks, only such threads.
    #[must_use]
    pub fn blocked(&self) -> &[BlockedThread] {
        &self.blocked
    }

    /// Returns the time that a thread of this dump has waited in `block_on`.
    #[must_use]
    pub fn blocked_for(&self, thread: &BlockedThread) -> Duration {
        self.until_now(thread.since)
    }

    fn until_now(&self, since: u32) -> Duration {
        let since = if since == 0 { self.now } else { since };
        task::time_between(since, self.now)
    }

    /// Returns the cycles of tasks that wait for each other, by awaits and by blocking joins.
    ///
    /// The tasks of a cycle wait forever, unless one of them is cancelled or also waits for another
    /// event. If two cycles share a task, at least one of them is returned.
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
            f.write_str(", with no waker left")?;
        }
        write!(f, ", spawned at {}", task.location)?;
        if task.lifecycle == Lifecycle::Running {
            // Only the thread that polls the task can read the state of its machine.
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
        for blocked in &self.blocked {
            let name = blocked.thread.as_deref().unwrap_or("without a name");
            let (ago, location) = (self.blocked_for(blocked).as_millis(), blocked.location);
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

/// Collects the tasks of a dump.
#[derive(Default)]
struct DumpBuilder {
    tasks: Vec<TaskInfo>,
    /// The index in the list for each address of a task.
    indices: HashMap<usize, usize>,
    /// Pairs of addresses: a waiting task, and the task that it waits for.
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
        self.indices.insert(address, self.tasks.len());
        self.waits
            .extend(task.awaiter().map(|awaiter| (awaiter, address)));
        self.tasks.push(info);
    }

    fn build(mut self) -> Dump {
        self.waits.extend(task::blocked_tasks());
        for (waiting, awaited) in self.waits {
            let indices = (self.indices.get(&waiting), self.indices.get(&awaited));
            // A task can be missing: it is of another runtime, or it has ended meanwhile.
            let (Some(&waiting), Some(&awaited)) = indices else {
                continue;
            };
            let awaited = self.tasks[awaited].id;
            self.tasks[waiting].waits_for.push(awaited);
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
