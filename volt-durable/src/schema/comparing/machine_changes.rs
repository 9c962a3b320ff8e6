//! The changes between the machines of two builds.

use std::collections::BTreeMap;

use super::change::{Change, Effect};
use super::form_changes::{FormChange, FormChanges};
use crate::schema::form::Fields;
use crate::schema::machine_schema::MachineSchema;

/// The machines of a build by their names.
type Machines = BTreeMap<String, MachineSchema>;

/// Returns the changes from one build to another, the worst first.
pub(in crate::schema) fn changes(old: &Machines, new: &Machines) -> Vec<Change> {
    let mut changes = Vec::new();
    for (name, machine) in old {
        match new.get(name) {
            Some(changed) => machine_changes(name, machine, changed, &mut changes),
            None => changes.push(Change {
                help: Some("keep a worker of an older build until its machines have ended".into()),
                ..change(name, Effect::Waits, "the type was removed")
            }),
        }
    }
    for name in new.keys().filter(|name| !old.contains_key(*name)) {
        changes.push(change(name, Effect::Loads, "the type was added"));
    }
    changes.sort_by_key(|change| std::cmp::Reverse(change.effect));
    changes
}

fn change(machine: &str, effect: Effect, text: &str) -> Change {
    Change {
        effect,
        machine: machine.to_owned(),
        state: None,
        path: None,
        text: text.to_owned(),
        help: None,
    }
}

fn machine_changes(
    name: &str,
    old: &MachineSchema,
    new: &MachineSchema,
    changes: &mut Vec<Change>,
) {
    for (state, fields) in &old.states {
        let in_state = |change| Change {
            state: Some(state.clone()),
            ..change
        };
        match new.states.get(state) {
            Some(changed) => {
                if new.older.contains(state) && !old.older.contains(state) {
                    let text = "the state has another name now, and this one is read";
                    changes.push(in_state(change(name, Effect::Loads, text)));
                }
                let mut forms = FormChanges::new(&old.types, &new.types);
                forms.fields(fields, changed);
                let renamed = renamed(fields, changed);
                let found = forms.changes.into_iter();
                changes.extend(found.map(|found| in_state(local_change(name, found, renamed))));
            }
            None if old.older.contains(state) => changes.push(in_state(change(
                name,
                Effect::Waits,
                "the older name was removed; machines that an earlier build stored may have it",
            ))),
            None => changes.push(in_state(Change {
                help: Some(format!(
                    "if it was renamed, write `#[state(.., was = \"{state}\")]`; otherwise add \
                     `{state}` to `Worker::runs_migrated`"
                )),
                ..change(name, Effect::Waits, "the state was removed")
            })),
        }
    }
    let added = new
        .states
        .keys()
        .filter(|state| !(old.states.contains_key(*state) || new.older.contains(*state)));
    changes.extend(added.map(|state| Change {
        state: Some(state.clone()),
        ..change(
            name,
            Effect::Loads,
            "the state was added; older builds leave its machines",
        )
    }));
    let mut outcome = FormChanges::new(&old.types, &new.types);
    outcome.form(&old.outcome, &new.outcome);
    changes.extend(outcome.changes.into_iter().map(|found| Change {
        text: format!(
            "the output {}, so clients may not read stored outcomes",
            found.text
        ),
        path: path(&found.path),
        ..change(name, found.effect, "")
    }));
}

/// Returns the change of a local. A required local that replaces another one gets a help.
fn local_change(machine: &str, found: FormChange, renamed: Option<(&str, &str)>) -> Change {
    let help = match (renamed, &found.path[..]) {
        (Some((old, new)), [local]) if local == new && found.effect == Effect::Parks => Some(
            format!("if it was named `{old}`, write `#[stored(was = \"{old}\")]`"),
        ),
        (_, [_]) if found.effect == Effect::Parks => Some(
            "write `#[stored(default)]`, or change stored values in `Worker::runs_migrated`"
                .to_owned(),
        ),
        _ => None,
    };
    Change {
        path: path(&found.path),
        help,
        ..change(machine, found.effect, &found.text)
    }
}

fn path(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join("."))
}

/// Returns the names of the only local that was removed and of the only one that was added.
fn renamed<'f>(old: &'f Fields, new: &'f Fields) -> Option<(&'f str, &'f str)> {
    let mut removed = old.iter().filter(|(name, _)| !new.contains_key(*name));
    let mut added = new.iter().filter(|(name, _)| !old.contains_key(*name));
    match (removed.next(), added.next(), removed.next(), added.next()) {
        (Some((old, form)), Some((new, same)), None, None) if form == same => Some((old, new)),
        _ => None,
    }
}
