//! `cargo volt dump`: the tasks of a running program.

use clap::Args;

use super::dump_data::DumpData;
use super::target::{ServerArgs, Target, target};
use super::text::{findings, head, notes, tables, tasks, tree};
use crate::context::Outcome;
use crate::json_args::JsonArgs;
use crate::terminal::print;

/// The arguments of `dump`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DumpArgs {
    /// Address (`:6680`), path of a Unix socket, id of a process, or JSON file of a dump
    #[arg(value_name = "TARGET", value_parser = target)]
    target: Target,
    #[command(flatten)]
    json: JsonArgs,
    /// Only the groups of tasks that wait at the same place, and the findings
    #[arg(long, conflicts_with_all = ["task", "group"])]
    groups: bool,
    /// Poll each idle task once, to find where it waits: also in async blocks, boxed futures and
    /// futures of other crates
    #[arg(long, conflicts_with = "group")]
    by_poll: bool,
    /// Poll tasks without a waker too; they stay without one
    #[arg(long, requires = "by_poll")]
    orphans: bool,
    /// Only this task
    #[arg(long, value_name = "ID", conflicts_with = "group")]
    task: Option<String>,
    /// Only the tasks of this group, by its `key` in the JSON
    #[arg(long, value_name = "KEY")]
    group: Option<String>,
    #[command(flatten)]
    server: ServerArgs,
}

/// Prints the dump.
pub(crate) fn dump(arguments: &DumpArgs) -> Outcome<()> {
    let target = arguments.target.clone().resolved(&arguments.server)?;
    let mut query = match (&arguments.task, &arguments.group) {
        (Some(id), _) => format!("?task={}", encoded(id)),
        (None, Some(key)) => format!("?group={}", encoded(key)),
        (None, None) => String::new(),
    };
    if arguments.orphans {
        let before = if query.is_empty() { '?' } else { '&' };
        query += &format!("{before}orphans");
    }
    let is_file = matches!(target, Target::File(_));
    if arguments.by_poll && is_file {
        return Err("--by-poll needs a running program, not a file".to_owned());
    }
    let name = if arguments.by_poll { "by-poll" } else { "dump" };
    let path = if arguments.groups && !arguments.by_poll {
        "/groups.json".to_owned()
    } else {
        format!("/{name}.json{query}")
    };
    // The JSON of the server keeps keys that this version does not know.
    if arguments.json.is_printed() {
        return print_text(&target.text(&path, &arguments.server)?);
    }
    if arguments.json.has_file() {
        let text = target.text(&path, &arguments.server)?;
        arguments.json.write_file(&text)?;
    }
    if !arguments.groups && !is_file {
        return print_text(&target.text(&format!("/{name}.txt{query}"), &arguments.server)?);
    }
    let mut data = DumpData::read(&target.value(&path, &arguments.server)?);
    if let Some(id) = &arguments.task {
        data.tasks.retain(|task| task.id == *id);
    }
    if let Some(key) = &arguments.group {
        let groups = &data.groups;
        data.tasks.retain(|task| {
            groups
                .get(task.group)
                .is_some_and(|group| group.key == *key)
        });
    }
    let mut top = head(&data) + &findings(&data);
    let table = if arguments.groups {
        top += &notes(&data);
        tables(&data)
    } else if arguments.task.is_some() {
        tasks(&data) + &data.tasks.first().map(tree).unwrap_or_default()
    } else {
        tasks(&data)
    };
    print(&format!("{top}\n{table}"))
}

/// Prints a text with one line break at its end.
fn print_text(text: &str) -> Outcome<()> {
    print(&format!("{}\n", text.trim_end()))
}

/// Encodes a value of a query: letters, digits and dots stay.
pub(super) fn encoded(value: &str) -> String {
    let bytes = value.bytes().map(|byte| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'-' | b'_' => char::from(byte).into(),
        _ => format!("%{byte:02X}"),
    });
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn value_of_a_query_is_encoded() {
        assert_eq!(encoded("#5 a&b.1"), "%235%20a%26b.1");
    }
}
