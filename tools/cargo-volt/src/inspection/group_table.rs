//! Tables of groups and tasks.

use std::cmp::Reverse;
use std::collections::HashMap;

use anstyle::Style;

use super::dump_data::{DumpData, PlaceData, TaskData, duration};
use crate::terminal::{Align, BAD, EMPHASIS, FAINT, NOTICE, TextTable, styled};

/// The numbers of tasks in an earlier dump, by the keys of the groups and the places of the spawns.
pub(super) type Counts = HashMap<String, u64>;

/// Returns the numbers of tasks of the groups, and of the places of the spawns.
pub(super) fn counts(data: &DumpData) -> Counts {
    let groups = data.groups.iter();
    let groups = groups.map(|group| (group.key.clone(), group.count));
    let spawns = data.spawns.iter();
    let spawns = spawns.map(|spawn| (spawn.place.clone(), spawn.count));
    groups.chain(spawns).collect()
}

/// Returns the head of a dump: the program, its tasks and workers.
pub(super) fn head(data: &DumpData) -> String {
    let busy = data
        .workers
        .iter()
        .filter(|worker| worker.running.is_some());
    let name = match data.name.as_str() {
        "" => String::new(),
        name => format!(" \"{name}\""),
    };
    format!(
        "{}{name}, process {}: {} {}, {} queued, {} of {} workers busy\n",
        styled(EMPHASIS, &data.runtime),
        data.pid,
        styled(EMPHASIS, &data.alive.to_string()),
        if data.alive == 1 { "task" } else { "tasks" },
        data.queued,
        busy.count(),
        data.workers.len()
    )
}

/// Returns a line for each finding. The advice follows the last one of several that have the same.
pub(super) fn findings(data: &DumpData) -> String {
    let mut lines = String::new();
    for (index, finding) in data.findings.iter().enumerate() {
        let style = if finding.is_error { BAD } else { NOTICE };
        // A clause begins with "; ", and has a line of its own.
        for (nth, clause) in finding.text.split("; ").enumerate() {
            let indent = if nth == 0 { "" } else { "   " };
            lines += &styled(style, &format!("{indent}{clause}"));
            lines.push('\n');
        }
        let next = data.findings.get(index + 1);
        let is_last = next.is_none_or(|next| next.advice != finding.advice);
        if is_last && !finding.advice.is_empty() {
            lines += &styled(FAINT, &format!("   {}", finding.advice));
            lines.push('\n');
        }
    }
    lines
}

/// The number of tasks that the note about unknown waits names.
const MAX_NAMED: usize = 3;

/// Returns lines about waits that the groups do not show: threads in `block_on`, and idle tasks
/// of which only the place of the spawn is known. The tasks are first if there is no finding.
pub(super) fn notes(data: &DumpData) -> String {
    let (threads, unknown) = (threads_note(data), unknown_note(data));
    match data.findings.is_empty() {
        true => unknown + &threads,
        false => threads + &unknown,
    }
}

/// Returns `true` if the findings may lack causes, because waits are not known.
pub(super) fn lacks_findings(data: &DumpData) -> bool {
    data.findings.is_empty() && !data.is_by_poll && unknown_waits(data) > 0
}

/// Returns the number of idle tasks of which only the place of the spawn is known.
fn unknown_waits(data: &DumpData) -> u64 {
    let unknown = data.groups.iter().filter(|group| group.is_spawn_only);
    unknown.map(|group| group.idle).sum()
}

fn threads_note(data: &DumpData) -> String {
    let mut lines = String::new();
    for thread in &data.threads {
        let name = match thread.name.as_str() {
            "" => "without a name",
            name => name,
        };
        let (time, location) = (duration(thread.ms), &thread.location);
        lines += &format!("thread {name}: in block_on for {time}, called at {location}\n");
    }
    lines
}

fn unknown_note(data: &DumpData) -> String {
    let unknown = unknown_waits(data);
    if unknown == 0 || data.is_by_poll {
        return String::new();
    }
    let tasks = if unknown == 1 { "task" } else { "tasks" };
    let (consequence, style) = match data.findings.is_empty() {
        true => ("findings may be missing", NOTICE),
        false => ("findings may have no line", FAINT),
    };
    let text = format!(
        "The place of the wait is not known for {unknown} idle {tasks}, so {consequence}. \
         `cargo volt top --once --by-poll` finds it.{}",
        longest_named(data)
    );
    format!("{}\n", styled(style, &text))
}

/// Returns the tasks with a name that have waited longest at an unknown place, if the data has
/// tasks.
fn longest_named(data: &DumpData) -> String {
    let is_unknown = |task: &&TaskData| {
        let group = data.groups.get(task.group);
        let is_spawn_only = group.is_some_and(|group| group.is_spawn_only);
        task.state == "i" && !task.name.is_empty() && is_spawn_only
    };
    let mut tasks: Vec<_> = data.tasks.iter().filter(is_unknown).collect();
    tasks.sort_by_key(|task| Reverse(task.ms));
    let named = tasks.iter().take(MAX_NAMED);
    let named = named.map(|task| format!("{} {:?} for {}", task.id, task.name, duration(task.ms)));
    let named: Vec<_> = named.collect();
    match named[..] {
        [] => String::new(),
        _ => format!(" Tasks that have waited longest: {}.", named.join(", ")),
    }
}

/// Returns a table of the groups, the largest first, with the changes since `before`.
pub(super) fn groups(data: &DumpData, before: Option<&Counts>) -> String {
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
            (Style::new(), path(&group.places)),
        ]);
    }
    table.page()
}

/// Returns a table of the numbers of tasks by the place of their spawn, with the changes since
/// `before`.
pub(super) fn spawns(data: &DumpData, before: Option<&Counts>) -> String {
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
pub(super) fn tables(data: &DumpData) -> String {
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
pub(super) fn tasks(data: &DumpData) -> String {
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
pub(super) fn title(task: &TaskData) -> String {
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
pub(super) fn path(places: &[PlaceData]) -> String {
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

    use super::{
        DumpData, PlaceData, counts, findings, head, lacks_findings, notes, path, spawns, tables,
    };

    fn plain(text: &str) -> String {
        strip_str(text).to_string()
    }

    #[test]
    fn notes_name_threads_and_unknown_waits() {
        let mut value = json!({
            "places": [["spawn", "", "a.rs", 1, 2], ["Session", "await read", "b.rs", 52, 30]],
            "threads": [["main", 4_000, "src/main.rs:3:1"]],
            "groups": [
                {"trace": [], "spawned": 0, "count": 9, "idle": 7},
                {"trace": [1], "spawned": 0, "count": 5, "idle": 5},
            ],
        });
        let text = plain(&notes(&DumpData::read(&value)));
        let mut lines = text.lines().skip(1);
        assert_eq!(
            lines.next(),
            Some("thread main: in block_on for 4.0 s, called at src/main.rs:3:1")
        );
        let missing = "not known for 7 idle tasks, so findings may be missing. ";
        assert!(text.contains(missing), "{text}");
        assert_eq!(lines.next(), None);
        value["findings"] = json!([{"text": "cycle: a"}]);
        let text = plain(&notes(&DumpData::read(&value)));
        assert!(text.contains("so findings may have no line. "), "{text}");
        value["by_poll"] = json!({"polled": 7});
        let text = plain(&notes(&DumpData::read(&value)));
        assert!(text.starts_with("thread main"), "{text}");
        assert!(!text.contains("--by-poll"), "{text}");
        assert_eq!(notes(&DumpData::default()), "");
    }

    #[test]
    fn longest_waits_are_named() {
        let mut value = json!({
            "places": [["spawn", "", "a.rs", 1, 2], ["Session", "await read", "b.rs", 52, 30]],
            "groups": [
                {"trace": [], "spawned": 0, "count": 4, "idle": 4},
                {"trace": [1], "spawned": 0, "count": 1, "idle": 1},
            ],
            "columns": ["id", "name", "state", "ms", "group"],
            "tasks": [
                ["1.1", "young", "i", 2_000, 0],
                ["2.1", "", "i", 9_000, 0],
                ["3.1", "old", "i", 8_000, 0],
                ["4.1", "known", "i", 9_000, 1],
                ["5.1", "busy", "r", 9_000, 0],
            ],
        });
        let data = DumpData::read(&value);
        assert!(lacks_findings(&data));
        let text = plain(&notes(&data));
        let end =
            " Tasks that have waited longest: 3.1 \"old\" for 8.0 s, 1.1 \"young\" for 2.0 s.\n";
        assert!(text.ends_with(end), "{text}");
        value["findings"] = json!([{"text": "cycle: a"}]);
        assert!(!lacks_findings(&DumpData::read(&value)));
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
    fn clause_of_a_finding_has_a_line() {
        let value = json!({"findings": [{"text": "cycle: a; at b", "advice": "Stop."}]});
        let text = plain(&findings(&DumpData::read(&value)));
        assert_eq!(text, "cycle: a\n   at b\n   Stop.\n");
    }

    #[test]
    fn head_counts_one_task() {
        let data = DumpData {
            alive: 1,
            ..DumpData::default()
        };
        let text = plain(&head(&data));
        assert!(text.contains(": 1 task, 0 queued"), "{text}");
    }
}
