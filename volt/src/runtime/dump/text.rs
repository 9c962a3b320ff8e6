//! The text of a dump.

use std::fmt;

use super::dump::Dump;
use super::place::lifecycle;
use crate::machine::State;
use crate::task::{Lifecycle, TaskInfo};

/// The maximum number of awaited tasks that the text of a task names.
const MAX_NAMED: usize = 3;

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for task in &self.tasks {
            write_task(f, self, task)?;
        }
        write_cycles(f, self)?;
        write_blocked(f, self)?;
        match self.tasks.len() {
            1 => f.write_str("1 task"),
            count => write!(f, "{count} tasks"),
        }
    }
}

fn write_task(f: &mut fmt::Formatter<'_>, dump: &Dump, task: &TaskInfo) -> fmt::Result {
    let kind = if task.blocking {
        "blocking job"
    } else {
        "task"
    };
    write!(f, "{kind} {}", task.id)?;
    if let Some(name) = &task.name {
        write!(f, " {name:?}")?;
    }
    write_polls(f, dump, task)?;
    write_waits(f, task)?;
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
    write_position(f, &task.position)?;
    for position in &task.within {
        f.write_str("   with\n")?;
        write_position(f, position)?;
    }
    Ok(())
}

fn write_polls(f: &mut fmt::Formatter<'_>, dump: &Dump, task: &TaskInfo) -> fmt::Result {
    let ago = dump.time_since(task).as_millis();
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

fn write_position(f: &mut fmt::Formatter<'_>, position: &[&'static State]) -> fmt::Result {
    for (depth, state) in position.iter().enumerate() {
        let within = if depth == 0 { "" } else { "in " };
        let (machine, name) = (state.machine, state.name);
        let (file, line, column) = (state.file, state.line, state.column);
        writeln!(f, "   {within}{machine} at {name}, {file}:{line}:{column}")?;
    }
    Ok(())
}

fn write_cycles(f: &mut fmt::Formatter<'_>, dump: &Dump) -> fmt::Result {
    for cycle in dump.wait_cycles() {
        f.write_str("cycle:")?;
        for task in &cycle {
            write!(f, " task {task} waits for")?;
        }
        writeln!(f, " task {}", cycle[0])?;
    }
    Ok(())
}

fn write_blocked(f: &mut fmt::Formatter<'_>, dump: &Dump) -> fmt::Result {
    for blocked in &dump.blocked {
        let name = blocked.thread.as_deref().unwrap_or("without a name");
        let (ago, location) = (dump.blocked_for(blocked).as_millis(), blocked.location);
        writeln!(
            f,
            "thread {name}: in block_on for {ago} ms, called at {location}"
        )?;
    }
    Ok(())
}
