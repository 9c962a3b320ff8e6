//! An editor in functions under the attribute: completion, hover, definitions, renaming, parameters
//! of calls and hints of rust-analyzer give what they give in the plain functions, and no name of
//! the macro's.
//!
//! The test needs rust-analyzer in the pinned toolchain, and the sources of the standard library in
//! any toolchain: `rustup component add rust-analyzer`, `rustup toolchain install nightly -c
//! rust-src`. Without them it reports that it is skipped, and passes.

#[path = "editor/client.rs"]
mod client;
#[path = "editor/functions.rs"]
mod functions;

use std::collections::BTreeSet;
use std::path::Path;

use client::{Client, Place, Toolchain, toolchain};
use functions::{BEFORE, FORMS, FUNCTIONS, UNFINISHED};
use serde_json::Value;

/// The machines of [`FORMS`], which are items of the module.
const MACHINES: [&str; 4] = ["F", "PageF", "PageRead", "f"];

const ATTRIBUTES: [&str; 3] = [
    "#[volt::state_machine]",
    "#[volt::state_machine(native)]",
    "#[volt::state_machine(explicit)]",
];

/// A mark of the functions: its kind, its number, and its place.
#[derive(Clone, Copy, Debug)]
struct Mark {
    kind: char,
    number: u32,
    place: Place,
}

/// The functions without signs, and the marks.
fn marked(functions: &str, attribute: &str) -> (String, Vec<Mark>) {
    let functions = functions.replace('@', attribute);
    let (mut text, mut marks) = (String::new(), Vec::new());
    for (index, part) in functions.split('§').enumerate() {
        if index % 2 == 0 {
            text.push_str(part);
            continue;
        }
        let line = text.matches('\n').count();
        let column = text.rsplit('\n').next().unwrap_or_default().chars().count();
        let (kind, number) = part.split_at(1);
        marks.push(Mark {
            kind: kind.parse().expect("a letter"),
            number: number.parse().expect("a number"),
            place: (line, column),
        });
    }
    (text, marks)
}

/// The version of the functions with the attribute is so many lines below the plain one.
fn both_versions(attribute: &str) -> (String, Vec<Mark>, usize) {
    let (plain, marks) = marked(FUNCTIONS, &" ".repeat(attribute.len()));
    let (machine, _) = marked(FUNCTIONS, attribute);
    let lines = plain.matches('\n').count() + 1;
    let text = format!("mod plain {{{plain}}}\nmod under_attribute {{{machine}}}\n");
    (text, marks, lines)
}

/// Returns what the server answers for a mark.
fn answer(client: &mut Client, Mark { kind, place, .. }: Mark) -> Value {
    match kind {
        'c' | 'n' => client.completions(place).into(),
        'h' => client.hover(place),
        'd' => client.definition(place),
        'r' => client.renaming(place),
        's' => client.parameters(place),
        _ => panic!("no such kind: {kind}"),
    }
}

/// Subtracts `lines` from each number of a line.
fn moved(mut answer: Value, lines: usize) -> Value {
    match &mut answer {
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = moved(item.take(), lines)),
        Value::Object(fields) => {
            let uri = fields.get("targetUri").or(fields.get("uri"));
            if uri.is_some_and(|uri| !uri.to_string().contains("/case.rs")) {
                return answer;
            }
            for (name, value) in fields {
                match (name.as_str(), value.as_u64()) {
                    ("line", Some(line)) => *value = (line.saturating_sub(lines as u64)).into(),
                    _ => *value = moved(value.take(), lines),
                }
            }
        }
        Value::String(text) => *text = text.replace("under_attribute", "plain"),
        _ => {}
    }
    answer
}

/// Removes the machines and their aliases from what is offered where a name is written: they are
/// items of the module.
fn without_machines(answer: &mut Value, of_plain: &Value) {
    let (Value::Array(offered), Value::Array(of_plain)) = (answer, of_plain) else {
        return;
    };
    let declares = |name: &str| FUNCTIONS.contains(&format!("fn {name}"));
    let is_type = |name: &str| name.starts_with(char::is_uppercase) && !name.contains(['(', ' ']);
    let is_machine = |label: &Value| {
        let name = label.as_str().unwrap_or_default();
        !of_plain.contains(label) && (is_type(name) || declares(name))
    };
    offered.retain(|label| !is_machine(label));
    offered.dedup();
}

/// Describes what differs at a mark.
fn difference(client: &mut Client, mark: Mark, lines: usize) -> Option<String> {
    let plain = answer(client, mark);
    let (line, column) = mark.place;
    let place = (line + lines, column);
    let mut machine = moved(answer(client, Mark { place, ..mark }), lines);
    if mark.kind == 'n' {
        without_machines(&mut machine, &plain);
    }
    let Mark { kind, number, .. } = mark;
    if plain.is_null() || plain == "" || plain.as_array().is_some_and(Vec::is_empty) {
        return Some(format!("{kind}{number}: nothing in the plain function"));
    }
    let of_macro = machine.to_string().contains("__");
    let text = || format!("{kind}{number}\n  plain   {plain}\n  machine {machine}");
    (plain != machine || of_macro).then(text)
}

/// Lists the hints of the plain functions that the others do not have, and the other way round.
fn hint_differences(client: &mut Client, lines: usize) -> Vec<String> {
    let list = |hints: Value| {
        let hints = hints.as_array().cloned().unwrap_or_default();
        let one = |hint: &Value| format!("{} {}", hint["position"], hint["label"]);
        hints.iter().map(one).collect::<BTreeSet<_>>()
    };
    let plain = list(client.hints(0..lines - 1));
    let machine = list(moved(client.hints(lines..2 * lines - 1), lines));
    assert!(plain.len() > 50, "the server shows few hints: {plain:?}");
    let differing = plain.symmetric_difference(&machine);
    let words = |hint: &String| match plain.contains(hint) {
        true => format!("hint of the plain function only: {hint}"),
        false => format!("hint of the machine only: {hint}"),
    };
    differing.map(words).collect()
}

/// A server, and the folder of its file.
fn with_server(check: impl FnOnce(&Toolchain, &Path) -> Vec<String>) {
    let Some(toolchain) = toolchain() else {
        eprintln!("SKIPPED: no rust-analyzer, or no sources of the standard library");
        eprintln!("run `rustup component add rust-analyzer`");
        eprintln!("and `rustup toolchain install nightly --profile minimal -c rust-src`");
        return;
    };
    let thread = std::thread::current();
    let name = thread.name().unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("volt-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let found = check(&toolchain, &folder.join("case.rs"));
    _ = std::fs::remove_dir_all(folder);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn editor_shows_the_same_as_in_plain_functions() {
    with_server(|toolchain, file| {
        let mut found = Vec::new();
        for attribute in ATTRIBUTES {
            let (text, marks, lines) = both_versions(attribute);
            let mut client = Client::start(toolchain, file, &text);
            let differences = marks
                .iter()
                .filter_map(|mark| difference(&mut client, *mark, lines));
            let mut differences: Vec<_> = differences.collect();
            differences.extend(hint_differences(&mut client, lines));
            found.extend(differences.iter().map(|text| format!("{attribute} {text}")));
        }
        found
    });
}

#[test]
fn unfinished_body_completes_as_in_plain_function() {
    with_server(|toolchain, file| {
        let mut client = Client::start(toolchain, file, BEFORE);
        let mut version = 1;
        let mut completions = |text: String| {
            let before = text.split('§').next().unwrap_or_default();
            let line = before.matches('\n').count();
            let column = before.rsplit('\n').next().unwrap_or_default().len();
            version += 1;
            client.change(version, &text.replace('§', ""));
            client.completions((line, column))
        };
        let mut found = Vec::new();
        for (form, body) in FORMS
            .into_iter()
            .flat_map(|form| UNFINISHED.map(|body| (form, body)))
        {
            let text = format!("{BEFORE}{}", form.replace('%', body));
            let plain = ["@", "#[volt::main]", "#[volt::test]"].into_iter();
            let plain = plain.fold(text.clone(), |text, word| text.replace(word, ""));
            let plain = completions(plain);
            assert!(!plain.is_empty(), "nothing in the plain function: {text}");
            let offered = completions(text.replace('@', ATTRIBUTES[0]));
            let has_all = plain.iter().all(|label| offered.contains(label));
            let others = offered.iter().filter(|label| !plain.contains(label));
            let others: Vec<_> = others
                .filter(|label| !MACHINES.contains(&&***label))
                .collect();
            if !has_all || !others.is_empty() {
                found.push(format!(
                    "{form} {body}\n  plain   {plain:?}\n  machine {offered:?}"
                ));
            }
        }
        found
    });
}
