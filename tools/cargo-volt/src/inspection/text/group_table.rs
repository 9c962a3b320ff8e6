//! Tables of groups and tasks.

use std::collections::HashMap;

use anstyle::Style;

use crate::inspection::dump_data::{DumpData, GroupData, PlaceData, TaskData, duration};
use crate::terminal::{Align, EMPHASIS, FAINT, NOTICE, TextTable, styled};

/// The numbers of tasks in an earlier dump, by the keys of the groups and the places of the spawns.
pub(in crate::inspection) type Counts = HashMap<String, u64>;

/// Returns the numbers of tasks of the groups, and of the places of the spawns.
pub(in crate::inspection) fn counts(data: &DumpData) -> Counts {
    let groups = data.groups.iter();
    let groups = groups.map(|group| (group.key.clone(), group.count));
    let spawns = data.spawns.iter();
    let spawns = spawns.map(|spawn| (spawn.place.clone(), spawn.count));
    groups.chain(spawns).collect()
}

/// Returns a table of the groups, the largest first, with the changes since `before`.
pub(in crate::inspection) fn groups(data: &DumpData, before: Option<&Counts>) -> String {
    let mut table = TextTable::new(&[
        ("tasks", Align::Right),
        ("change", Align::Right),
        ("longest", Align::Right),
        ("shortest", Align::Right),
        ("place", Align::Left),
    ]);
    for group in &data.groups {
        table.push(vec![
            (EMPHASIS, group.count.to_string()),
            change(&group.key, group.count, before),
            (Style::new(), duration(group.longest_ms)),
            (FAINT, duration(group.shortest_ms)),
            (Style::new(), group_path(group)),
        ]);
    }
    table.page()
}

/// Returns the places of a group, and that of the spawn of its tasks if it has only one.
fn group_path(group: &GroupData) -> String {
    let path = path(&group.places);
    match &group.spawned_at {
        Some(place) => format!("{path}, spawned at {place}"),
        None => path,
    }
}

/// Returns a table of the numbers of tasks by the place of their spawn, with the changes since
/// `before`.
pub(in crate::inspection) fn spawns(data: &DumpData, before: Option<&Counts>) -> String {
    let mut table = TextTable::new(&[
        ("tasks", Align::Right),
        ("change", Align::Right),
        ("longest", Align::Right),
        ("spawned at", Align::Left),
    ]);
    for spawn in &data.spawns {
        table.push(vec![
            (EMPHASIS, spawn.count.to_string()),
            change(&spawn.place, spawn.count, before),
            (Style::new(), duration(spawn.longest_ms)),
            (Style::new(), spawn.place.clone()),
        ]);
    }
    table.page()
}

/// Returns the tables of groups and of spawns, as they are printed once.
pub(in crate::inspection) fn tables(data: &DumpData) -> String {
    let groups = groups(data, None);
    if data.spawns.is_empty() {
        return groups;
    }
    format!("{groups}\n{}", spawns(data, None))
}

fn change(key: &str, count: u64, before: Option<&Counts>) -> (Style, String) {
    let Some(before) = before else {
        return (FAINT, "-".to_owned());
    };
    let before = before.get(key).copied().unwrap_or(0);
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    match signed(count) - signed(before) {
        0 => (FAINT, "0".to_owned()),
        change if change > 0 => (NOTICE, format!("{change:+}")),
        change => (Style::new(), format!("{change:+}")),
    }
}

/// Returns a table of tasks.
pub(in crate::inspection) fn tasks(data: &DumpData) -> String {
    let mut table = TextTable::new(&[
        ("task", Align::Left),
        ("state", Align::Left),
        ("for", Align::Right),
        ("polls", Align::Right),
        ("name", Align::Left),
        ("place", Align::Left),
    ]);
    for task in &data.tasks {
        table.push(vec![
            (EMPHASIS, task.id.clone()),
            (Style::new(), state(task).to_owned()),
            (Style::new(), duration(task.ms)),
            (FAINT, task.polls.to_string()),
            (Style::new(), task.name.clone()),
            (Style::new(), path(&task.places)),
        ]);
    }
    table.page()
}

/// Returns a line with the state of a task.
pub(in crate::inspection) fn title(task: &TaskData) -> String {
    let name = match task.name.as_str() {
        "" => String::new(),
        name => format!(" \"{name}\""),
    };
    format!(
        "task {}{name}: {} for {}, polled {} times\n",
        styled(EMPHASIS, &task.id),
        state(task),
        duration(task.ms),
        task.polls
    )
}

fn state(task: &TaskData) -> &str {
    match task.state.as_str() {
        "i" => "idle",
        "q" => "queued",
        "r" => "running",
        "c" => "complete",
        other => other,
    }
}

/// Returns the places, the innermost one of the program first, because its line is to be read. It
/// is followed by the future that is awaited there, and by the places around it.
pub(in crate::inspection) fn path(places: &[PlaceData]) -> String {
    let own = places.iter().rposition(|place| place.is_of_program);
    let (outer, inner) = places.split_at(own.map_or(places.len(), |own| own + 1));
    let outer: Vec<_> = outer.iter().rev().map(|place| &*place.text).collect();
    match (&outer[..], inner.first()) {
        ([first], Some(awaited)) => format!("{first} in {}", awaited.text),
        ([first, around @ ..], Some(awaited)) => {
            format!("{first} in {} < {}", awaited.text, around.join(" < "))
        }
        (_, None) | ([], _) => outer.join(" < "),
    }
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use serde_json::json;

    use super::{DumpData, PlaceData, counts, groups, path, spawns, tables};

    fn plain(text: &str) -> String {
        strip_str(text).to_string()
    }

    #[test]
    fn spawns_have_their_change() {
        let value = |count: u64| {
            json!({
                "places": [["spawn", "", "a.rs", 1, 2]],
                "spawns": [{"place": 0, "count": count, "longest_ms": 4_000}],
            })
        };
        let before = counts(&DumpData::read(&value(7)));
        let now = DumpData::read(&value(9));
        let text = plain(&spawns(&now, Some(&before)));
        let row = "    9      +2    4.0 s  a.rs:1:2\n";
        assert!(text.ends_with(row), "{text}");
        assert!(plain(&tables(&now)).contains("  spawned at\n"));
        assert!(!tables(&DumpData::default()).contains("spawned at"));
    }

    #[test]
    fn line_of_the_program_is_first() {
        let place = |text: &str, is_of_program| PlaceData {
            text: text.to_owned(),
            is_of_program,
        };
        let own = [place("Main, a.rs:1", true), place("Part, a.rs:9", true)];
        assert_eq!(path(&own), "Part, a.rs:9 < Main, a.rs:1");
        let awaited = [place("Lock", false), place("Inner", false)];
        let all: Vec<_> = own.into_iter().chain(awaited.clone()).collect();
        assert_eq!(path(&all), "Part, a.rs:9 in Lock < Main, a.rs:1");
        assert_eq!(path(&all[1..]), "Part, a.rs:9 in Lock");
        assert_eq!(path(&awaited), "Inner < Lock");
    }

    #[test]
    fn group_of_one_spawn_has_its_place() {
        let value = json!({
            "places": [["spawn", "", "a.rs", 1, 2], ["Session", "await read", "b.rs", 52, 30]],
            "groups": [
                {"trace": [1], "spawned": null, "spawned_at": 0, "count": 3},
                {"trace": [], "spawned": 0, "spawned_at": 0, "count": 1},
            ],
        });
        let text = plain(&groups(&DumpData::read(&value), None));
        assert!(
            text.contains("  Session at await read, b.rs:52, spawned at a.rs:1:2\n"),
            "{text}"
        );
        assert!(text.ends_with("  spawned at a.rs:1\n"), "{text}");
    }
}
