//! Tables of groups and tasks.

use std::collections::HashMap;

use anstyle::Style;

use super::dump_data::{DumpData, GroupData, TaskData, duration};
use crate::terminal::{Align, BAD, EMPHASIS, FAINT, NOTICE, TextTable, styled};

/// The numbers of tasks in an earlier dump, by the keys of the groups.
pub(super) type Counts = HashMap<String, u64>;

/// Returns the numbers of tasks of the groups.
pub(super) fn counts(data: &DumpData) -> Counts {
    let groups = data.groups.iter();
    groups
        .map(|group| (group.key.clone(), group.count))
        .collect()
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
        "{}{name}, process {}: {} tasks, {} queued, {} of {} workers busy\n",
        styled(EMPHASIS, &data.runtime),
        data.pid,
        styled(EMPHASIS, &data.alive.to_string()),
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
        lines += &styled(style, &finding.text);
        lines.push('\n');
        let next = data.findings.get(index + 1);
        let is_last = next.is_none_or(|next| next.advice != finding.advice);
        if is_last && !finding.advice.is_empty() {
            lines += &styled(FAINT, &format!("   {}", finding.advice));
            lines.push('\n');
        }
    }
    lines
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
            change(group, before),
            (Style::new(), duration(group.longest_ms)),
            (FAINT, duration(group.shortest_ms)),
            (Style::new(), path(&group.places)),
        ]);
    }
    table.page()
}

fn change(group: &GroupData, before: Option<&Counts>) -> (Style, String) {
    let Some(before) = before else {
        return (FAINT, "-".to_owned());
    };
    let before = before.get(&group.key).copied().unwrap_or(0);
    let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    match signed(group.count) - signed(before) {
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

/// Returns the places, the innermost first, because it names the cause of the wait.
pub(super) fn path(places: &[String]) -> String {
    let places: Vec<_> = places.iter().rev().map(String::as_str).collect();
    places.join(" < ")
}
