//! `cargo volt diff`: the difference of two dumps of a program.

use std::collections::HashMap;

use anstyle::Style;
use clap::Args;
use serde_json::{Value, json};

use super::dump_data::{DumpData, TaskData, duration};
use super::group_table::path;
use super::target::{ServerArgs, Target, target};
use crate::context::Outcome;
use crate::json_args::JsonArgs;
use crate::terminal::{Align, EMPHASIS, FAINT, NOTICE, TextTable, print, styled};

/// The arguments of `diff`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DiffArgs {
    /// First dump: a JSON file, or a running program as for `dump`
    #[arg(value_name = "BEFORE", value_parser = target)]
    before: Target,
    /// Second dump
    #[arg(value_name = "AFTER", value_parser = target)]
    after: Target,
    #[command(flatten)]
    json: JsonArgs,
    /// Print at most this many tasks that did not move
    #[arg(long, value_name = "N", default_value_t = 20)]
    tasks: usize,
    #[command(flatten)]
    server: ServerArgs,
}

/// The difference of two dumps.
#[derive(Clone, Debug, Default)]
struct Difference<'a> {
    elapsed_ms: u64,
    gone: Vec<&'a TaskData>,
    new: Vec<&'a TaskData>,
    /// The tasks that were polled between the dumps.
    moved: Vec<&'a TaskData>,
    /// The tasks that were not polled.
    not_moved: Vec<&'a TaskData>,
    groups: Vec<GroupChange<'a>>,
}

/// The numbers of tasks of a group in both dumps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GroupChange<'a> {
    key: &'a str,
    places: &'a [String],
    before: u64,
    after: u64,
}

/// Prints the difference.
pub(crate) fn diff(arguments: &DiffArgs) -> Outcome<()> {
    let read = |target: &Target| {
        let value = target.value("/dump.json", &arguments.server)?;
        Ok::<_, String>(DumpData::read(&value))
    };
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    if before.instance != after.instance {
        return Err(
            "the dumps are of different runtimes, whose tasks are not comparable".to_owned(),
        );
    }
    let difference = difference(&before, &after);
    let json = format!("{:#}\n", value(&difference));
    if arguments.json.is_printed() {
        return print(&json);
    }
    print(&page(&difference, arguments.tasks))?;
    arguments.json.write_file(&json)
}

fn difference<'a>(before: &'a DumpData, after: &'a DumpData) -> Difference<'a> {
    let by_id = |data: &'a DumpData| {
        let tasks = data.tasks.iter();
        tasks
            .map(|task| (task.id.as_str(), task))
            .collect::<HashMap<_, _>>()
    };
    let (old, current) = (by_id(before), by_id(after));
    let gone = before.tasks.iter();
    let gone = gone.filter(|task| !current.contains_key(task.id.as_str()));
    let mut difference = Difference {
        elapsed_ms: after.taken_ms.saturating_sub(before.taken_ms),
        gone: gone.collect(),
        groups: group_changes(before, after),
        ..Difference::default()
    };
    for task in &after.tasks {
        let list = match old.get(task.id.as_str()) {
            None => &mut difference.new,
            Some(old) if old.polls == task.polls => &mut difference.not_moved,
            Some(_) => &mut difference.moved,
        };
        list.push(task);
    }
    difference
        .not_moved
        .sort_by_key(|task| std::cmp::Reverse(task.ms));
    difference
}

/// Returns the groups whose number of tasks has changed, the largest change first.
fn group_changes<'a>(before: &'a DumpData, after: &'a DumpData) -> Vec<GroupChange<'a>> {
    let mut changes: HashMap<&str, GroupChange<'a>> = HashMap::new();
    for (data, is_after) in [(before, false), (after, true)] {
        for group in &data.groups {
            let change = changes.entry(group.key.as_str()).or_insert(GroupChange {
                key: &group.key,
                places: &group.places,
                before: 0,
                after: 0,
            });
            if is_after {
                change.after = group.count;
            } else {
                change.before = group.count;
            }
        }
    }
    let changes = changes.into_values();
    let mut changes: Vec<_> = changes
        .filter(|change| change.before != change.after)
        .collect();
    changes.sort_by(|a, b| {
        let size = |change: &GroupChange<'_>| change.after.abs_diff(change.before);
        size(b).cmp(&size(a)).then_with(|| a.key.cmp(b.key))
    });
    changes
}

fn page(difference: &Difference<'_>, most: usize) -> String {
    let count = |tasks: &[&TaskData]| styled(EMPHASIS, &tasks.len().to_string());
    let mut page = format!(
        "{} between the dumps: {} new, {} gone, {} polled, {} not polled\n",
        duration(Some(difference.elapsed_ms)),
        count(&difference.new),
        count(&difference.gone),
        count(&difference.moved),
        count(&difference.not_moved)
    );
    let mut groups = TextTable::new(&[
        ("before", Align::Right),
        ("after", Align::Right),
        ("group", Align::Left),
    ]);
    for change in &difference.groups {
        let style = if change.after > change.before {
            NOTICE
        } else {
            Style::new()
        };
        groups.push(vec![
            (FAINT, change.before.to_string()),
            (style, change.after.to_string()),
            (Style::new(), path(change.places)),
        ]);
    }
    let mut tasks = TextTable::new(&[
        ("not polled", Align::Left),
        ("for", Align::Right),
        ("name", Align::Left),
        ("place", Align::Left),
    ]);
    for task in difference.not_moved.iter().take(most) {
        tasks.push(vec![
            (EMPHASIS, task.id.clone()),
            (Style::new(), duration(task.ms)),
            (Style::new(), task.name.clone()),
            (Style::new(), path(&task.places)),
        ]);
    }
    for table in [groups, tasks] {
        if !table.is_empty() {
            page.push('\n');
            page.push_str(&table.page());
        }
    }
    let omitted = difference.not_moved.len().saturating_sub(most);
    if omitted > 0 {
        page.push_str(&format!("{omitted} more tasks were not polled\n"));
    }
    page
}

/// Returns the difference as JSON. Its groups have the text of their place, so it is not a diff of
/// schema 1.
fn value(difference: &Difference<'_>) -> Value {
    let ids = |tasks: &[&TaskData]| tasks.iter().map(|task| task.id.clone()).collect::<Vec<_>>();
    let groups = difference.groups.iter().map(|change| {
        json!({
            "key": change.key,
            "place": path(change.places),
            "before": change.before,
            "after": change.after,
        })
    });
    json!({
        "elapsed_ms": difference.elapsed_ms,
        "gone": ids(&difference.gone),
        "new": ids(&difference.new),
        "moved": ids(&difference.moved),
        "not_moved": ids(&difference.not_moved),
        "groups": groups.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::{DumpData, TaskData, difference, page};
    use crate::inspection::dump_data::GroupData;

    fn task(id: &str, polls: u64) -> TaskData {
        TaskData {
            id: id.to_owned(),
            polls,
            ms: Some(polls),
            ..TaskData::default()
        }
    }

    fn dump(tasks: Vec<TaskData>, count: u64) -> DumpData {
        let group = GroupData {
            key: "k".to_owned(),
            places: vec!["Session at await read".to_owned()],
            count,
            ..GroupData::default()
        };
        DumpData {
            tasks,
            groups: vec![group],
            taken_ms: count * 1_000,
            ..DumpData::default()
        }
    }

    #[test]
    fn tasks_are_gone_new_moved_or_not() {
        let before = dump(vec![task("1.1", 1), task("2.1", 2), task("3.1", 3)], 3);
        let after = dump(vec![task("2.1", 2), task("3.1", 4), task("4.1", 0)], 5);
        let found = difference(&before, &after);
        let ids = [&found.gone, &found.new, &found.moved, &found.not_moved];
        let ids = ids.map(|tasks| {
            tasks
                .iter()
                .map(|task| task.id.as_str())
                .collect::<String>()
        });
        assert_eq!(ids, ["1.1", "4.1", "3.1", "2.1"]);
        assert_eq!((found.groups[0].before, found.groups[0].after), (3, 5));
        let page = anstream::adapter::strip_str(&page(&found, 0)).to_string();
        let start = "2.0 s between the dumps: 1 new, 1 gone, 1 polled, 1 not polled\n";
        assert!(page.starts_with(start), "{page}");
        assert!(page.ends_with("1 more tasks were not polled\n"), "{page}");
    }

    #[test]
    fn equal_groups_are_no_change() {
        let (before, after) = (dump(Vec::new(), 3), dump(Vec::new(), 3));
        assert!(difference(&before, &after).groups.is_empty());
    }
}
