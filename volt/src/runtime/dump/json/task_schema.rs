//! The arrays of tasks, and their timers.

use std::time::Duration;

use volt_inspect::Status;

use super::shared_values::{millis, put_ids, put_trace};
use super::value::{Elements, Entries, Value};
use crate::runtime::dump::dump::Dump;
use crate::runtime::dump::groups::Grouping;
use crate::runtime::dump::place::lifecycle;
use crate::runtime::dump::tree::{Detail, NodeEntry};
use crate::task::{TaskId, TaskInfo};

/// The columns of a task.
pub(super) const COLUMNS: [&str; 16] = [
    "id",
    "name",
    "state",
    "ms",
    "polls",
    "wakers",
    "flags",
    "spawned",
    "future",
    "size",
    "group",
    "trace",
    "within",
    "waits_for",
    "thread",
    "tree",
];

/// Passes the values of one task, in the order of [`COLUMNS`], but for the tree.
pub(super) fn put_task(dump: &Dump, grouping: &Grouping, index: usize, put: Elements<'_>) {
    let (task, places) = (&dump.tasks[index], &grouping.tasks[index]);
    put(Value::Shown(&task.id));
    put(Value::Text(task.name.as_deref().unwrap_or("")));
    put(Value::Text(&lifecycle(task)[..1]));
    let time = (task.since != 0).then(|| dump.time_since(task).as_millis() as u64);
    put(Value::number_or_null(time));
    put(Value::Number(task.polls.into()));
    put(Value::number_or_null(task.wakers));
    put(Value::Number(flags(task)));
    put(Value::Number(places.spawned.into()));
    put(Value::Number(places.future.into()));
    put(Value::Number(task.future_size as u64));
    put(Value::Number(places.group.into()));
    let trace = grouping.trace(places.group as usize);
    put(Value::List(&|put| put_trace(trace, put)));
    put(Value::List(&|put| put_within(grouping, index, put)));
    put(Value::List(&|put| put_ids(&task.waits_for, put)));
    put(Value::Text(task.thread.as_deref().unwrap_or("")));
}

fn put_within(grouping: &Grouping, task: usize, put: Elements<'_>) {
    for trace in grouping.within(task) {
        put(Value::List(&|put| put_trace(trace, put)));
    }
}

/// Returns the flags of a task: 1 cancelled, 2 shielded, 4 orphaned, 8 blocking job, 16 future of
/// `block_on`.
fn flags(task: &TaskInfo) -> u64 {
    u64::from(task.cancelled)
        | u64::from(task.shield > 0) << 1
        | u64::from(task.orphaned) << 2
        | u64::from(task.blocking) << 3
        | u64::from(task.block_on) << 4
}

pub(super) fn put_tree(dump: &Dump, task: &TaskInfo, put: Elements<'_>) {
    for (number, node) in (task.tree.nodes.start..).zip(dump.forest.nodes(task)) {
        put(Value::List(&|put| {
            put_node(dump, task, (number, node), put)
        }));
    }
}

/// Passes the depth, the place, the number and status of a child or null, and the details.
fn put_node(dump: &Dump, task: &TaskInfo, (number, node): (u32, &NodeEntry), put: Elements<'_>) {
    let mut details = dump.forest.details(task, number).peekable();
    put(Value::Number(node.depth.into()));
    put(Value::Number(node.place.into()));
    let has_status = node.index().is_some() || node.status != Status::Waiting;
    if has_status {
        put(Value::List(&|put| {
            put(Value::number_or_null(
                node.index().map(|index| index as u64),
            ));
            put(Value::Text(node.status.as_str()));
        }));
    } else if details.peek().is_some() {
        put(Value::Null);
    }
    for detail in details {
        put(Value::List(&|put| put_detail(dump, detail, put)));
    }
}

/// Passes the name of a value, `waits for`, `in local` or `holds`, and the text.
fn put_detail(dump: &Dump, detail: &Detail, put: Elements<'_>) {
    let text = dump.forest.shown(detail);
    match detail {
        Detail::Value(value) => {
            put(Value::Text(value.0));
            put(Value::Text(&value.1));
        }
        Detail::Guard(..) => {
            put(Value::Text("holds"));
            put(Value::Shown(&text));
        }
        Detail::Local(name) => {
            put(Value::Text("in local"));
            put(Value::Text(name.0));
        }
        Detail::Timer(_) | Detail::Task(_) | Detail::Job(_) | Detail::Lock(_) | Detail::Wait(_) => {
            put(Value::Text("waits for"));
            put(Value::Shown(&text));
        }
    }
}

/// The number of timers that the key `timers` lists.
const MAX_TIMERS: usize = 5;

pub(super) fn put_timers(dump: &Dump, put: Entries<'_>) {
    let of_task = |task: &TaskInfo| {
        let (id, timers) = (task.id, dump.forest.timers(task));
        let far = dump.far_timer_of(task);
        timers
            .chain(far)
            .map(move |left| (left, id))
            .collect::<Vec<_>>()
    };
    let mut timers: Vec<_> = dump.tasks.iter().flat_map(of_task).collect();
    timers.sort_unstable();
    put("all", Value::Number(dump.timers as u64));
    put("count", Value::Number(timers.len() as u64));
    put(
        "next_ms",
        timers
            .first()
            .map_or(Value::Null, |(left, _)| millis(*left)),
    );
    put("by_decade", Value::List(&|put| put_decades(&timers, put)));
    put(
        "farthest",
        Value::List(&|put| {
            for (left, id) in timers.iter().rev().take(MAX_TIMERS) {
                put(Value::List(&|put| {
                    put(Value::Shown(id));
                    put(millis(*left));
                }));
            }
        }),
    );
}

/// Writes the numbers of timers by the time that is left: first those of less than a millisecond,
/// then those of less than ten, and so on. The last number is not zero.
fn put_decades(timers: &[(Duration, TaskId)], put: Elements<'_>) {
    let mut counts = Vec::new();
    for (left, _) in timers {
        let millis = left.as_millis() as u64;
        let decade = millis.checked_ilog10().map_or(0, |log| log as usize + 1);
        if counts.len() <= decade {
            counts.resize(decade + 1, 0);
        }
        counts[decade] += 1;
    }
    for count in counts {
        put(Value::Number(count));
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use std::time::Duration;

    use super::put_decades;
    use crate::runtime::dump::json::value::Value;
    use crate::runtime::dump::sample::id;

    #[test]
    fn timers_are_counted_by_decade() {
        let text = |millis: &[u64]| {
            let timers = millis.iter().map(|ms| (Duration::from_millis(*ms), id(1)));
            let timers: Vec<_> = timers.collect();
            Value::List(&|put| put_decades(&timers, put)).to_string()
        };
        assert_eq!(text(&[]), "[]");
        assert_eq!(text(&[0, 1, 9, 10, 99, 1_000]), "[1,2,2,0,1]");
        assert_eq!(text(&[2_591_996_000]), "[0,0,0,0,0,0,0,0,0,0,1]");
    }
}
