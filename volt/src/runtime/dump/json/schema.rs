//! The JSON of a dump, schema 1.
//!
//! The book describes each key, on the page *The JSON of a dump*. A test compares a sample with a
//! stored file.

use std::fmt::{self, Display};
use std::process;
use std::time::SystemTime;

#[cfg(feature = "inspect")]
use super::poll_schema::put_poll_report;
use super::shared_values::{millis, put_ids, put_place, put_trace};
use super::task_schema::{COLUMNS, put_task, put_timers, put_tree};
use super::value::{Elements, Entries, Value};
use crate::loom::LeakOnce;
use crate::runtime::dump::blocked::BlockedThread;
use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::findings::{Finding, FindingLimits, findings};
use crate::runtime::dump::groups::Grouping;
use crate::runtime::dump::spawns::spawn_counts;
use crate::runtime::dump::thread_activity::{PollingThread, ThreadActivity};
use crate::scheduler::{PollTimes, WorkerStats};
use crate::task::{Lifecycle, TaskInfo};

/// The number of the schema. A key or column that is removed or changed raises it.
pub(super) const SCHEMA: u64 = 1;

/// The JSON of a dump; see [`Dump::json`].
#[derive(Clone, Debug)]
#[must_use]
pub struct DumpJson<'a> {
    dump: &'a Dump,
    content: Content,
    limits: FindingLimits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    All,
    WithoutTrees,
    WithoutTasks,
}

impl Dump {
    /// Returns the dump as JSON, which [`Display`] writes.
    ///
    /// The text is one JSON object. Its key `schema` is 1. The book describes the other keys. A
    /// reader must ignore keys and columns that it does not know: they can be added in any version.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::new()?;
    /// let json = runtime.dump().json().to_string();
    /// assert!(json.starts_with(r#"{"schema":1,"#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn json(&self) -> DumpJson<'_> {
        DumpJson {
            dump: self,
            content: Content::All,
            limits: FindingLimits::default(),
        }
    }
}

impl DumpJson<'_> {
    /// Leaves out the keys `columns` and `tasks`, so that the size does not depend on the number of
    /// tasks.
    pub fn without_tasks(self) -> Self {
        let content = Content::WithoutTasks;
        Self { content, ..self }
    }

    /// Leaves out the column `tree`.
    pub fn without_trees(self) -> Self {
        let content = Content::WithoutTrees;
        Self { content, ..self }
    }

    /// Sets the limits of the findings.
    pub fn finding_limits(self, limits: FindingLimits) -> Self {
        Self { limits, ..self }
    }

    /// Calls `write` with the whole value.
    pub(super) fn with_value<R>(&self, write: impl FnOnce(Value<'_>) -> R) -> R {
        let grouping = Grouping::of(self.dump);
        write(Value::Object(&|put| self.put_entries(&grouping, put)))
    }

    fn columns(&self) -> &'static [&'static str] {
        match self.content {
            Content::WithoutTrees => &COLUMNS[..COLUMNS.len() - 1],
            Content::All | Content::WithoutTasks => &COLUMNS,
        }
    }

    fn put_tasks(&self, grouping: &Grouping, put: Elements<'_>) {
        let dump = self.dump;
        for (index, task) in dump.tasks.iter().enumerate() {
            put(Value::List(&|put| {
                put_task(dump, grouping, index, put);
                if self.content == Content::All {
                    put(Value::List(&|put| put_tree(dump, task, put)));
                }
            }));
        }
    }

    fn put_findings(&self, grouping: &Grouping, put: Elements<'_>) {
        for finding in findings(self.dump, grouping, &self.limits) {
            put(Value::Object(&|put| put_finding(grouping, &finding, put)));
        }
    }

    fn put_entries(&self, grouping: &Grouping, put: Entries<'_>) {
        let dump = self.dump;
        put("schema", Value::Number(SCHEMA));
        put_runtime(dump, put);
        put("stats", Value::Object(&|put| put_stats(dump, put)));
        put("workers", Value::List(&|put| put_workers(dump, put)));
        put(
            "job_threads",
            Value::List(&|put| put_job_threads(dump, put)),
        );
        put("threads", Value::List(&|put| put_threads(dump, put)));
        put(
            "findings",
            Value::List(&|put| self.put_findings(grouping, put)),
        );
        put("cycles", Value::List(&|put| put_cycles(dump, put)));
        put("timers", Value::Object(&|put| put_timers(dump, put)));
        put("groups", Value::List(&|put| put_groups(grouping, put)));
        put(
            "spawns",
            Value::List(&|put| put_spawns(dump, grouping, put)),
        );
        put("places", Value::List(&|put| put_places(grouping, put)));
        if self.content != Content::WithoutTasks {
            let columns = self.columns();
            let columns =
                |put: Elements<'_>| columns.iter().copied().map(Value::Text).for_each(put);
            put("columns", Value::List(&columns));
            put("tasks", Value::List(&|put| self.put_tasks(grouping, put)));
        }
        let unseen = dump.tasks.iter().filter(|task| is_unseen(task)).count() as u64;
        let not_seen = |put: Entries<'_>| put("running", Value::Number(unseen));
        put("not_seen", Value::Object(&not_seen));
        #[cfg(feature = "inspect")]
        if let Some(report) = &dump.by_poll {
            put(
                "by_poll",
                Value::Object(&|put| put_poll_report(report, put)),
            );
        }
    }
}

fn put_finding(grouping: &Grouping, finding: &Finding, put: Entries<'_>) {
    let is_group = |key| grouping.groups.iter().position(|group| group.key == key);
    let group = finding.group.and_then(is_group);
    put("advice", Value::Text(finding.advice()));
    put("kind", Value::Text(finding.kind.name()));
    put("severity", Value::Text(finding.kind.severity().name()));
    put("count", Value::Number(finding.count as u64));
    put("tasks", Value::List(&|put| put_ids(&finding.tasks, put)));
    put(
        "group",
        Value::number_or_null(group.map(|index| index as u64)),
    );
    put("longest_ms", millis(finding.longest));
    put("jobs", Value::List(&|put| put_ids(&finding.jobs, put)));
    put("text", Value::Shown(finding));
}

impl Display for DumpJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_value(|value| value.fmt(f))
    }
}

/// Returns `true` if the places of the task could not be read, because it was being polled.
fn is_unseen(task: &TaskInfo) -> bool {
    task.lifecycle == Lifecycle::Running && !task.blocking
}

/// Returns the milliseconds since the epoch of Unix.
fn unix_millis(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_millis() as u64
}

fn put_runtime(dump: &Dump, put: Entries<'_>) {
    static START: LeakOnce<SystemTime> = LeakOnce::new();
    let start = unix_millis(*START.get_or_leak(SystemTime::now));
    let (pid, id) = (process::id(), dump.runtime.id);
    let version = concat!("volt ", env!("CARGO_PKG_VERSION"));
    put("runtime", Value::Text(version));
    put(
        "name",
        Value::Text(dump.runtime.name.as_deref().unwrap_or("")),
    );
    put("pid", Value::Number(pid.into()));
    let instance = format_args!("{pid}-{start:x}-{id:x}");
    put("instance", Value::Shown(&instance));
    put("taken_ms", Value::Number(unix_millis(dump.taken)));
    put("took_us", Value::Number(dump.took.as_micros() as u64));
    if let Some(note) = dump.note {
        put("note", Value::Text(note));
    }
}

fn put_stats(dump: &Dump, put: Entries<'_>) {
    let stats = &dump.runtime.stats;
    put("spawned", Value::Number(stats.spawned));
    put("alive", Value::Number(stats.alive as u64));
    put("polled_elsewhere", Value::Number(stats.polled_elsewhere));
    put("orphans", Value::Number(stats.orphans));
    put("queued", Value::Number(stats.queued as u64));
    put("sleeping", Value::Number(stats.sleeping as u64));
    put("searching", Value::Number(stats.searching as u64));
}

fn put_workers(dump: &Dump, put: Elements<'_>) {
    for (index, worker) in dump.runtime.stats.workers.iter().enumerate() {
        let mut tasks = dump.tasks.iter();
        let running = tasks.find(|task| task.worker.map(usize::from) == Some(index));
        put(Value::Object(&|put| put_worker(dump, worker, running, put)));
    }
}

fn put_worker(dump: &Dump, worker: &WorkerStats, running: Option<&TaskInfo>, put: Entries<'_>) {
    match running {
        None => {
            put("running", Value::Null);
            put("for_ms", Value::Null);
        }
        Some(task) => {
            put("running", Value::Shown(&task.id));
            put("for_ms", millis(dump.time_since(task)));
        }
    }
    put("queued", Value::Number(worker.queued as u64));
    put("busy_ms", millis(worker.busy));
    put("spawned", Value::Number(worker.spawned));
    put("polled", Value::Number(worker.polled));
    put("stolen", Value::Number(worker.stolen));
    put("parked", Value::Number(worker.parked));
    put(
        "polls_by_time",
        Value::List(&|put| put_poll_times(&worker.poll_times, put)),
    );
    let thread = running.and_then(|task| dump.threads.iter().find(|other| other.task == task.id));
    put_polling_thread(thread, put);
}

fn put_job_threads(dump: &Dump, put: Elements<'_>) {
    let threads = dump.threads.iter();
    for thread in threads.filter(|thread| thread.worker.is_none()) {
        put(Value::Object(&|put| {
            put("job", Value::Shown(&thread.task));
            put_polling_thread(Some(thread), put);
        }));
    }
}

/// Writes the number of polls in each bucket, without the empty ones at the end.
fn put_poll_times(times: &PollTimes, put: Elements<'_>) {
    let counts: Vec<_> = times.buckets().map(|(_, polls)| polls).collect();
    let used = counts
        .iter()
        .rposition(|polls| *polls > 0)
        .map_or(0, |last| last + 1);
    for polls in &counts[..used] {
        put(Value::Number(*polls));
    }
}

fn put_polling_thread(thread: Option<&PollingThread>, put: Entries<'_>) {
    let (state, system_call, wait_channel) =
        match thread.and_then(|thread| thread.activity.as_ref()) {
            None => (None, None, None),
            Some(ThreadActivity::Running) => (Some("running"), None, None),
            Some(ThreadActivity::Blocked {
                system_call,
                wait_channel,
            }) => (
                Some("blocked"),
                system_call.as_deref(),
                wait_channel.as_deref(),
            ),
        };
    let thread_id = thread.and_then(|thread| thread.thread_id);
    put("thread_id", Value::number_or_null(thread_id.map(u64::from)));
    for (key, text) in [
        ("thread_state", state),
        ("system_call", system_call),
        ("wait_channel", wait_channel),
    ] {
        put(key, text.map_or(Value::Null, Value::Text));
    }
    #[cfg(feature = "inspect")]
    if let Some(thread) = thread.filter(|thread| !thread.addresses.is_empty()) {
        let put_backtrace = |put: Elements<'_>| {
            for place in thread.backtrace() {
                put(Value::List(&|put| put_place(&place, put)));
            }
        };
        put("backtrace", Value::List(&put_backtrace));
    }
}

fn put_threads(dump: &Dump, put: Elements<'_>) {
    for thread in &dump.blocked {
        put(Value::List(&|put| put_thread(dump, thread, put)));
    }
}

fn put_thread(dump: &Dump, thread: &BlockedThread, put: Elements<'_>) {
    put(Value::Text(thread.thread.as_deref().unwrap_or("")));
    put(millis(dump.blocked_for(thread)));
    put(Value::Shown(thread.location));
    put(Value::Shown(&thread.future));
}

fn put_cycles(dump: &Dump, put: Elements<'_>) {
    for cycle in dump.wait_cycles() {
        put(Value::List(&|put| put_ids(&cycle, put)));
    }
}

fn put_groups(grouping: &Grouping, put: Elements<'_>) {
    for index in 0..grouping.groups.len() {
        put(Value::Object(&|put| put_group(grouping, index, put)));
    }
}

fn put_group(grouping: &Grouping, index: usize, put: Entries<'_>) {
    let group = &grouping.groups[index];
    let trace = grouping.trace(index);
    let spawned = trace.is_empty().then_some(group.spawned.into());
    let spawned_at = group.spawned_at().map(Into::into);
    let [idle, queued, running] = group.by_state.map(|count| Value::Number(count as u64));
    let sample: Vec<_> = group.sample.iter().map(|(_, id)| *id).collect();
    put("key", Value::Shown(&format_args!("{:016x}", group.key)));
    put("trace", Value::List(&|put| put_trace(trace, put)));
    put("spawned", Value::number_or_null(spawned));
    put("spawned_at", Value::number_or_null(spawned_at));
    put("count", Value::Number(group.count as u64));
    put("idle", idle);
    put("queued", queued);
    put("running", running);
    put("longest_ms", millis(group.longest()));
    put("shortest_ms", millis(group.shortest));
    put("sample", Value::List(&|put| put_ids(&sample, put)));
}

fn put_spawns(dump: &Dump, grouping: &Grouping, put: Elements<'_>) {
    for (place, spawn) in spawn_counts(dump, grouping) {
        put(Value::Object(&|put| {
            put("place", Value::Number(place.into()));
            put("count", Value::Number(spawn.count as u64));
            put("idle", Value::Number(spawn.idle as u64));
            put("queued", Value::Number(spawn.queued as u64));
            put("running", Value::Number(spawn.running as u64));
            put("longest_ms", millis(spawn.longest));
        }));
    }
}

fn put_places(grouping: &Grouping, put: Elements<'_>) {
    for place in grouping.places.places() {
        put(Value::List(&|put| put_place(place, put)));
    }
}
