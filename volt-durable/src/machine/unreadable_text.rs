//! The error of a row whose snapshot this build cannot read.

use serde::de::DeserializeOwned;

use super::known_type_of::known_type_of;
use super::read_trace::ReadTrace;
use crate::snapshot_text::state_and_values;

/// The name of the awaited future in a snapshot.
const AWAITED: &str = "await";

/// Returns the error of a row whose snapshot this build cannot read, with its remedies.
///
/// The first line is shown in lists, so it names the state and the value.
pub(crate) fn unreadable_text<M: DeserializeOwned>(
    snapshot: &str,
    error: &serde_json::Error,
) -> String {
    let known = known_type_of::<M>();
    let name = known.as_ref().map_or("the machine", |known| &known.name);
    let states = known.as_ref().map_or(&[][..], |known| &known.states);
    let cause = without_position(error);
    let Some((state, _)) = state_and_values(snapshot) else {
        return format!(
            "`{name}` cannot be restored: {cause}\n\
             note: the snapshot is no object with the name of one state\n\
             help: restore the row from a backup, or end it by `cargo volt durable cancel --end`"
        );
    };
    let head = format!("`{name}` cannot be restored in state `{state}`: ");
    let remedies = if states.contains(&state) {
        cause + "\n" + &remedies_of_value(&ReadTrace::of::<M>(snapshot))
    } else {
        remedies_of_state(&state, states)
    };
    head + &remedies
        + "\nhelp: or run a worker of the build that stored it; resume the machine after any of these"
}

/// Returns the text of an error without its position in the snapshot, which is one line.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

fn remedies_of_state(state: &str, states: &[String]) -> String {
    format!(
        "this build has no such state\n\
         note: the states of this build are {}\n\
         help: if the state was renamed, write `#[state(.., was = \"{state}\")]`; otherwise return \
         values of another state from the function of `Worker::runs_migrated`",
        list(states)
    )
}

/// Returns the notes and remedies of a state that this build has.
fn remedies_of_value(trace: &ReadTrace) -> String {
    let mut lines = Vec::new();
    if let Some(expected) = &trace.expected {
        lines.push(format!("note: this build expects {expected}"));
    }
    if let Some(name) = &trace.current {
        lines.push(remedy_of_changed(name));
    } else if trace.is_at_end {
        lines.push(format!("note: the snapshot has {}", list(&trace.stored)));
        lines.push(remedy_of_missing(trace));
    } else {
        lines.push("help: change the snapshot in `Worker::runs_migrated`".to_owned());
    }
    lines.join("\n")
}

fn remedy_of_changed(name: &str) -> String {
    if name == AWAITED {
        return "help: if the awaited future is a machine, write `#[stored(default)]` or `was` in its \
                function; otherwise change `await` in `Worker::runs_migrated`"
            .to_owned();
    }
    format!(
        "help: let the type of `{name}` read the stored value, such as by `#[serde(default)]` on a \
         new field; otherwise change `{name}` in `Worker::runs_migrated`"
    )
}

/// Returns the remedy of a missing local. An older name precedes a default, because the default
/// replaces the stored value.
fn remedy_of_missing(trace: &ReadTrace) -> String {
    let is_removed = |name: &&String| !trace.known.contains(&name.as_str());
    let removed: Vec<_> = trace.stored.iter().filter(is_removed).cloned().collect();
    let other = "write `#[stored(default)]`, or add the value in `Worker::runs_migrated`";
    match &removed[..] {
        [] => format!("help: {other}"),
        [was] => format!(
            "help: if the local was named `{was}`, write `#[stored(was = \"{was}\")]`; otherwise \
             {other}"
        ),
        removed => format!(
            "help: if the local was named {}, write this name in `#[stored(was = \"..\")]`; \
             otherwise {other}",
            list(removed).replace(", ", " or ")
        ),
    }
}

/// Returns names in backticks.
fn list(names: &[String]) -> String {
    match names {
        [] => "no values".to_owned(),
        names => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        }
    }
}
