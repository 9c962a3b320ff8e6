//! The changes between the machines of two builds.

use std::collections::BTreeMap;

use super::change::{Change, Effect};
use super::form_changes::{FormChange, FormChanges};
use crate::schema::form::{Fields, Form};
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
                let found = forms.changes.into_iter();
                let local = |found| local_change(name, found, fields, changed);
                changes.extend(found.map(|found| in_state(local(found))));
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

/// Returns the change of a local of a state, with a help if it parks stored machines.
fn local_change(machine: &str, found: FormChange, old: &Fields, new: &Fields) -> Change {
    let help = match &found.path[..] {
        [local] if found.effect == Effect::Parks => Some(local_help(local, old, new)),
        _ => None,
    };
    Change {
        path: path(&found.path),
        help,
        ..change(machine, found.effect, &found.text)
    }
}

/// Returns the help of a local that parks stored machines. An older name precedes a default,
/// because the default replaces the stored value.
fn local_help(local: &str, old: &Fields, new: &Fields) -> String {
    if old.contains_key(local) {
        return "change stored values in `Worker::runs_migrated`".to_owned();
    }
    let other = "`#[stored(default)]`, or change stored values in `Worker::runs_migrated`";
    let removed = removed_of_its_form(local, old, new);
    match &removed[..] {
        [] => format!("write {other}"),
        [was] => {
            format!(
                "if it was named `{was}`, write `#[stored(was = \"{was}\")]`; otherwise write {other}"
            )
        }
        removed => {
            let names: Vec<String> = removed.iter().map(|name| format!("`{name}`")).collect();
            let names = names.join(" or ");
            format!(
                "if it was named {names}, write this name in `#[stored(was = \"..\")]`; otherwise \
                 write {other}"
            )
        }
    }
}

fn path(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join("."))
}

/// Returns the names of the removed locals that have the form of an added one.
fn removed_of_its_form<'f>(local: &str, old: &'f Fields, new: &Fields) -> Vec<&'f str> {
    let form = new.get(local).map(|form| form.of_field().0);
    let has_form =
        |older: &Form| !matches!(older, Form::Was(_)) && Some(older.of_field().0) == form;
    old.iter()
        .filter(|(name, older)| !new.contains_key(*name) && has_form(older))
        .map(|(name, _)| name.as_str())
        .collect()
}
