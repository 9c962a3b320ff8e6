//! The overview of a dump: its head, the findings, and notes about unknown waits.

use std::cmp::Reverse;

use crate::inspection::dump_data::{DumpData, TaskData, duration};
use crate::terminal::{BAD, EMPHASIS, FAINT, NOTICE, styled};

/// Returns the head of a dump: the program, its tasks and workers.
pub(in crate::inspection) fn head(data: &DumpData) -> String {
    let busy = data
        .workers
        .iter()
        .filter(|worker| worker.running.is_some());
    let name = match data.name.as_str() {
        "" => String::new(),
        name => format!(" \"{name}\""),
    };
    format!(
        "{}{name}, process {}: {} {}, {} queued, {} of {} workers busy\n{}",
        styled(EMPHASIS, &data.runtime),
        data.pid,
        styled(EMPHASIS, &data.alive.to_string()),
        if data.alive == 1 { "task" } else { "tasks" },
        data.queued,
        busy.count(),
        data.workers.len(),
        timers(data)
    )
}

/// Returns a line with the numbers of timers by the time that is left, or no line without timers.
fn timers(data: &DumpData) -> String {
    let counts = data.timers_by_decade.iter().enumerate();
    let used = counts.filter(|(_, count)| **count > 0);
    let texts = used.map(|(decade, count)| match decade {
        0 => format!("{count} due"),
        _ => {
            let limit = 10_u64.saturating_pow(decade.try_into().unwrap_or(u32::MAX));
            format!("{count} below {}", duration(Some(limit)))
        }
    });
    let mut texts: Vec<_> = texts.collect();
    let known: u64 = data.timers_by_decade.iter().sum();
    if data.timers > known {
        texts.push(format!("{} of unknown futures", data.timers - known));
    }
    match texts[..] {
        [] => String::new(),
        _ => {
            styled(
                FAINT,
                &format!("timers by the time left: {}", texts.join(", ")),
            ) + "\n"
        }
    }
}

/// Returns a line for each finding. The advice follows the last one of several that have the same.
pub(in crate::inspection) fn findings(data: &DumpData) -> String {
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
pub(in crate::inspection) fn notes(data: &DumpData) -> String {
    let (threads, unknown) = (threads_note(data), unknown_note(data));
    match data.findings.is_empty() {
        true => unknown + &threads,
        false => threads + &unknown,
    }
}

/// Returns `true` if the findings may lack causes, because waits are not known.
pub(in crate::inspection) fn lacks_findings(data: &DumpData) -> bool {
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

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use serde_json::json;

    use super::{DumpData, findings, head, lacks_findings, notes};

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
    fn clause_of_a_finding_has_a_line() {
        let value = json!({"findings": [{"text": "cycle: a; at b", "advice": "Stop."}]});
        let text = plain(&findings(&DumpData::read(&value)));
        assert_eq!(text, "cycle: a\n   at b\n   Stop.\n");
    }

    #[test]
    fn timers_are_counted_by_the_time_left() {
        let value = json!({"timers": {"count": 6, "by_decade": [1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1]}});
        let text = plain(&head(&DumpData::read(&value)));
        let line = "\ntimers by the time left: 1 due, 4 below 1.0 s, 1 below 115.7 days\n";
        assert!(text.ends_with(line), "{text}");
        let value = json!({"timers": {"all": 9, "count": 6, "by_decade": [2, 4]}});
        let text = plain(&head(&DumpData::read(&value)));
        let line = "\ntimers by the time left: 2 due, 4 below 10 ms, 3 of unknown futures\n";
        assert!(text.ends_with(line), "{text}");
        assert!(!head(&DumpData::default()).contains("timers"));
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
