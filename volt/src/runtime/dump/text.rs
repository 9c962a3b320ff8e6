//! The text of a dump.

use std::collections::HashSet;
use std::fmt;

use volt_inspect::{Direction, Status};

use super::blocked::BlockedThread;
use super::dump::Dump;
use super::findings::{Finding, FindingLimits, findings};
use super::groups::Grouping;
use super::place::{counted, kind, lifecycle, period};
use super::spawns::spawn_counts;
use crate::machine::State;
use crate::task::{Lifecycle, TaskId, TaskInfo};

/// The maximum number of awaited tasks that the text of a task names.
const MAX_NAMED: usize = 3;

/// The number of groups that the text of a dump lists.
const MAX_GROUPS: usize = 20;

/// The number of places of spawns that the text of a dump lists.
const MAX_SPAWNS: usize = 10;

/// The number of tasks from which on the text of a dump lists groups.
const MIN_TASKS: usize = 10;

impl Dump {
    /// Returns the text of the dump without its tasks: the findings, the largest groups, the
    /// numbers of tasks by the place of their spawn, and the threads in `block_on`.
    pub fn summary(&self) -> DumpSummary<'_> {
        DumpSummary(self)
    }
}

/// The text of a dump without its tasks; see [`Dump::summary`].
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct DumpSummary<'a>(&'a Dump);

impl fmt::Display for DumpSummary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_overview(f, self.0)?;
        for blocked in &self.0.blocked {
            write_blocked(f, self.0, blocked)?;
        }
        f.write_str(&counted(self.0.task_count()))
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let findings = write_overview(f, self)?;
        // The tasks of the findings are first, so that a reader of a long list sees them.
        let named: HashSet<TaskId> = findings.into_iter().flat_map(|found| found.tasks).collect();
        let (first, others): (Vec<&TaskInfo>, Vec<_>) = self
            .tasks()
            .iter()
            .partition(|task| named.contains(&task.id));
        for task in first.into_iter().chain(others) {
            write_task(f, self, task)?;
        }
        for blocked in &self.blocked {
            write_blocked(f, self, blocked)?;
            let mut futures = self.block_on_futures().iter();
            if let Some(future) = futures.find(|future| future.id == blocked.future) {
                write_future(f, self, future)?;
            }
        }
        f.write_str(&counted(self.task_count()))
    }
}

/// Writes the findings and the groups. Returns the findings.
fn write_overview(f: &mut fmt::Formatter<'_>, dump: &Dump) -> Result<Vec<Finding>, fmt::Error> {
    if let Some(note) = dump.note {
        writeln!(f, "{note}")?;
    }
    #[cfg(feature = "inspect")]
    if let Some(report) = &dump.by_poll {
        writeln!(f, "{report}")?;
    }
    let grouping = Grouping::of(dump);
    let findings = findings(dump, &grouping, &FindingLimits::default());
    for (index, finding) in findings.iter().enumerate() {
        writeln!(f, "{finding}")?;
        if Finding::ends_row(&findings, index) {
            writeln!(f, "   {}", finding.advice())?;
        }
    }
    if dump.task_count() < MIN_TASKS {
        return Ok(findings);
    }
    for (index, group) in grouping.groups.iter().take(MAX_GROUPS).enumerate() {
        let (place, longest) = (grouping.place_text(index), group.longest().as_millis());
        let (count, spawn) = (counted(group.count), grouping.spawn_text(index));
        writeln!(f, "group of {count} for up to {longest} ms: {place}{spawn}")?;
    }
    match grouping.groups.len().saturating_sub(MAX_GROUPS) {
        0 => {}
        more => writeln!(f, "and {more} smaller groups")?,
    }
    write_spawns(f, dump, &grouping)?;
    Ok(findings)
}

/// Writes the numbers of tasks by the place of their spawn.
fn write_spawns(f: &mut fmt::Formatter<'_>, dump: &Dump, grouping: &Grouping) -> fmt::Result {
    let spawns = spawn_counts(dump, grouping);
    for (_, spawn) in spawns.iter().take(MAX_SPAWNS) {
        let (count, place) = (counted(spawn.count), spawn.place);
        let (file, line, column) = (place.file, place.line, place.column);
        writeln!(f, "{count} spawned at {file}:{line}:{column}")?;
    }
    match spawns.len().saturating_sub(MAX_SPAWNS) {
        0 => Ok(()),
        1 => writeln!(f, "and tasks of 1 other spawn"),
        more => writeln!(f, "and tasks of {more} other spawns"),
    }
}

fn write_task(f: &mut fmt::Formatter<'_>, dump: &Dump, task: &TaskInfo) -> fmt::Result {
    write!(f, "{} {}", kind(task), task.id)?;
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
    for thread in dump.threads.iter().filter(|thread| thread.task == task.id) {
        writeln!(f, "   {thread}")?;
        #[cfg(feature = "inspect")]
        for place in thread.backtrace() {
            writeln!(f, "      in {place}")?;
        }
    }
    write_places(f, dump, task)?;
    for position in &task.within {
        f.write_str("   with\n")?;
        write_position(f, position)?;
    }
    Ok(())
}

/// Writes the futures of a task, or the events for which it waits if no future is known.
fn write_places(f: &mut fmt::Formatter<'_>, dump: &Dump, task: &TaskInfo) -> fmt::Result {
    match dump.forest.nodes(task) {
        [] => {
            write_position(f, &task.position)?;
            write_untraced_waits(f, dump, task)
        }
        _ => write_tree(f, dump, task),
    }
}

/// Writes the future of a thread in `block_on`.
fn write_future(f: &mut fmt::Formatter<'_>, dump: &Dump, future: &TaskInfo) -> fmt::Result {
    write!(f, "   {} {}", kind(future), future.id)?;
    write_polls(f, dump, future)?;
    write_waits(f, future)?;
    writeln!(f, ", a {}", future.type_name)?;
    write_places(f, dump, future)
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

/// Writes the futures of a task. An only child follows its parent, and others are indented.
fn write_tree(f: &mut fmt::Formatter<'_>, dump: &Dump, task: &TaskInfo) -> fmt::Result {
    // The indentation of the children of each node, by its depth.
    let mut indents = Vec::new();
    for node in dump.tree(task) {
        indents.truncate(node.depth);
        let outer = indents.last().copied().unwrap_or(0);
        let indent = if node.index.is_some() || node.local.is_some() {
            outer + 2
        } else {
            outer
        };
        indents.push(indent);
        write!(f, "   {:indent$}", "")?;
        match (node.index, node.local) {
            (Some(index), _) => write!(f, "[{index}] ")?,
            (None, Some(local)) => write!(f, "[{local}] ")?,
            (None, None) if node.depth > 0 => f.write_str("in ")?,
            (None, None) => {}
        }
        write!(f, "{}", node.place)?;
        if node.status != Status::Waiting {
            let comma = if node.place.name.is_empty() { "" } else { ", " };
            write!(f, "{comma}{}", node.status)?;
        }
        if let Some(event) = &node.waits_for {
            write!(f, ", waits for {event}")?;
        }
        for (name, ty) in &node.guards {
            write!(f, ", holds {name}: {ty}")?;
        }
        for (name, value) in &node.values {
            write!(f, ", {name}: {value}")?;
        }
        f.write_str("\n")?;
    }
    Ok(())
}

/// Writes the sockets and the far timer that a task waits for, if no tree shows them.
fn write_untraced_waits(f: &mut fmt::Formatter<'_>, dump: &Dump, task: &TaskInfo) -> fmt::Result {
    if let Some(left) = dump.far_timer_of(task) {
        writeln!(f, "   waits for a timer in {}", period(left))?;
    }
    for wait in dump.socket_waits_of(task) {
        let verb = match wait.direction {
            Direction::Write => "write to",
            _ => "read from",
        };
        write!(f, "   waits to {verb} descriptor {}", wait.descriptor)?;
        match &wait.peer {
            Some(peer) => writeln!(f, " ({peer})")?,
            None => f.write_str("\n")?,
        }
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

fn write_blocked(f: &mut fmt::Formatter<'_>, dump: &Dump, blocked: &BlockedThread) -> fmt::Result {
    let name = blocked.thread.as_deref().unwrap_or("without a name");
    let (ago, location) = (dump.blocked_for(blocked).as_millis(), blocked.location);
    writeln!(
        f,
        "thread {name}: in block_on for {ago} ms, called at {location}"
    )
}
