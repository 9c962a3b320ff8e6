//! `cargo volt diff`: the difference of two dumps of a program.

use std::cmp::Reverse;

use anstyle::Style;
use clap::Args;

use super::diff_json::value;
use super::difference::{Difference, difference};
use super::dump_data::{DumpData, TaskData, duration};
use super::target::{ServerArgs, Target, target};
use super::text::path;
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
    /// Print at most this many tasks that were not polled, or polled for nothing
    #[arg(long, value_name = "N", default_value_t = 20)]
    tasks: usize,
    #[command(flatten)]
    server: ServerArgs,
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

fn page(difference: &Difference<'_>, most: usize) -> String {
    let count = |tasks: &[&TaskData]| styled(EMPHASIS, &tasks.len().to_string());
    let mut page = format!(
        "{} between the dumps: {} new, {} gone, {} polled ({} for nothing, in {} polls), \
         {} not polled\n",
        duration(Some(difference.elapsed_ms)),
        count(&difference.new),
        count(&difference.gone),
        count(&difference.moved),
        count(&difference.polled_for_nothing),
        difference.idle_polls,
        count(&difference.not_moved)
    );
    let mut groups = TextTable::new(&[
        ("before", Align::Right),
        ("after", Align::Right),
        ("idle polls", Align::Right),
        ("group", Align::Left),
    ]);
    let changed = difference.groups.iter();
    for change in changed.filter(|change| change.size() > 0 || change.idle_polls > 0) {
        let style = if change.after > change.before {
            NOTICE
        } else {
            Style::new()
        };
        groups.push(vec![
            (FAINT, change.before.to_string()),
            (style, change.after.to_string()),
            (FAINT, change.idle_polls.to_string()),
            (Style::new(), path(&change.group.places)),
        ]);
    }
    let mut longest = difference.not_moved.clone();
    longest.sort_by_key(|task| Reverse(task.ms));
    let not_polled = task_table("not polled", &longest, most);
    let for_nothing = task_table("polled for nothing", &difference.polled_for_nothing, most);
    for table in [groups, for_nothing, not_polled] {
        if !table.is_empty() {
            page.push('\n');
            page.push_str(&table.page());
        }
    }
    for (tasks, text) in [
        (&difference.polled_for_nothing, "polled for nothing"),
        (&difference.not_moved, "not polled"),
    ] {
        let omitted = tasks.len().saturating_sub(most);
        if omitted > 0 {
            page.push_str(&format!("{omitted} more tasks were {text}\n"));
        }
    }
    page
}

/// Returns a table of the first tasks, whose ids have this title.
fn task_table(title: &'static str, tasks: &[&TaskData], most: usize) -> TextTable {
    let mut table = TextTable::new(&[
        (title, Align::Left),
        ("for", Align::Right),
        ("name", Align::Left),
        ("place", Align::Left),
    ]);
    for task in tasks.iter().take(most) {
        table.push(vec![
            (EMPHASIS, task.id.clone()),
            (Style::new(), duration(task.ms)),
            (Style::new(), task.name.clone()),
            (Style::new(), path(&task.places)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{DumpData, TaskData, difference, page};
    use crate::inspection::dump_data::{GroupData, NodeData, PlaceData};

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
            places: vec![PlaceData {
                text: "Session at await read".to_owned(),
                is_of_program: true,
            }],
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
        let start = "2.0 s between the dumps: 1 new, 1 gone, 1 polled (0 for nothing, in 0 \
            polls), 1 not polled\n";
        assert!(page.starts_with(start), "{page}");
        assert!(page.ends_with("1 more tasks were not polled\n"), "{page}");
    }

    #[test]
    fn task_with_an_equal_tree_is_polled_for_nothing() {
        let node = |column| NodeData {
            place: "Session at await read, src/session.rs:52".to_owned(),
            column,
            status: "waiting".to_owned(),
            ..NodeData::default()
        };
        let with_tree = |polls, tree: &[u64]| TaskData {
            tree: tree.iter().map(|column| node(*column)).collect(),
            ..task("1.1", polls)
        };
        let before = dump(vec![with_tree(1, &[9])], 1);
        let for_nothing = |polls, tree: &[u64]| {
            let after = dump(vec![with_tree(polls, tree)], 1);
            let found = difference(&before, &after);
            assert_eq!(found.groups[0].idle_polls, found.idle_polls);
            (found.polled_for_nothing.len(), found.idle_polls)
        };
        assert_eq!(for_nothing(2, &[9]), (1, 1));
        assert_eq!(for_nothing(8, &[9]), (1, 7));
        assert_eq!(for_nothing(1, &[9]), (0, 0));
        assert_eq!(for_nothing(2, &[20]), (0, 0));
        assert_eq!(for_nothing(2, &[9, 9]), (0, 0));
        assert_eq!(for_nothing(2, &[]), (0, 0));
    }

    #[test]
    fn equal_groups_are_no_change() {
        let (before, after) = (dump(Vec::new(), 3), dump(Vec::new(), 3));
        let found = difference(&before, &after);
        assert_eq!((found.groups.len(), found.groups[0].size()), (1, 0));
        assert!(!page(&found, 0).contains("Session"));
    }
}
