//! The book's page on the design documents names paths, items and aliases that exist.

use std::fs;

const PAGE: &str = "../book/src/design.md";
const VERDICTS: [&str; 3] = ["kept", "replaced", "in part"];

/// The cells of each table row that has `count` of them.
fn rows(page: &str, count: usize) -> Vec<Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let cells = rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect());
    cells
        .filter(|cells: &Vec<_>| cells.len() == count)
        .collect()
}

/// Returns the texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn features(page: &str) -> Vec<Vec<&str>> {
    let rows = rows(page, 4).into_iter();
    rows.filter(|cells| VERDICTS.contains(&cells[2])).collect()
}

/// The paths of a cell, each with the items that follow it.
fn places(cell: &str) -> Vec<(&str, Vec<&str>)> {
    let mut places: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in quoted(cell) {
        match places.last_mut() {
            Some((_, items)) if !name.contains('/') => items.push(name),
            _ => places.push((name, Vec::new())),
        }
    }
    places
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    text.split(|it: char| !is_part(it)).any(|it| it == word)
}

/// Returns the fault of a place, or `None`.
fn fault_of(path: &str, items: &[&str], text: Option<&str>) -> Option<String> {
    let Some(text) = text else {
        return Some(format!("there is no file {path}"));
    };
    let mut words = items.iter().flat_map(|item| item.split("::"));
    let missing = words.find(|word| !has_word(text, word))?;
    Some(format!("{path} does not name `{missing}`"))
}

fn has_alias(text: &str, name: &str) -> bool {
    let mut lines = text.lines().filter(|line| line.contains("#[doc(alias"));
    lines.any(|line| line.contains(&format!("\"{name}\"")))
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(format!("../{path}")).ok()
}

#[test]
fn each_path_and_item_exists() {
    let page = fs::read_to_string(PAGE).unwrap();
    let features = features(&page);
    let places = features.iter().flat_map(|cells| {
        let places = places(cells[1]);
        assert!(!places.is_empty(), "a row without a path: {}", cells[0]);
        places
    });
    let faults: Vec<_> = places
        .filter_map(|(path, items)| fault_of(path, &items, read(path).as_deref()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn all_features_are_there_and_counted() {
    let page = fs::read_to_string(PAGE).unwrap();
    let features = features(&page);
    let count = |verdict| features.iter().filter(|it| it[2] == verdict).count();
    let [kept, replaced, partly] = VERDICTS.map(count);
    assert_eq!(features.len(), 75);
    let said =
        format!("Of the 75 features {kept} are kept, {replaced} replaced and {partly} in part.");
    assert!(page.contains(&said), "the page does not say: {said}");
}

#[test]
fn each_replaced_feature_has_a_reason() {
    let page = fs::read_to_string(PAGE).unwrap();
    let features = features(&page);
    let without = features
        .iter()
        .find(|it| it[2] != "kept" && it[3].len() < 20);
    assert_eq!(without, None);
}

#[test]
fn each_alias_stands_in_its_file() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (_, table) = page.split_once("## Names to search for").unwrap();
    let mut count = 0;
    for cells in rows(table, 3) {
        let Some(path) = quoted(cells[2]).next() else {
            continue;
        };
        let text = read(path).unwrap_or_else(|| panic!("there is no file {path}"));
        for name in quoted(cells[0]) {
            assert!(has_alias(&text, name), "{path} has no alias `{name}`");
            count += 1;
        }
    }
    assert!(count > 70, "the page has a table of aliases");
}

#[test]
fn missing_file_and_missing_item_are_found() {
    let cell = "`volt/src/a.rs`: `Ring::push`, `pop`; `volt/src/b.rs`";
    let found = places(cell);
    assert_eq!(
        found,
        [
            ("volt/src/a.rs", vec!["Ring::push", "pop"]),
            ("volt/src/b.rs", vec![])
        ]
    );
    let text = Some("impl Ring { fn push() {} fn pop_all() {} }");
    let fault = fault_of(found[0].0, &found[0].1, text).unwrap();
    assert_eq!(fault, "volt/src/a.rs does not name `pop`");
    assert!(fault_of("b.rs", &[], None).is_some());
}

#[test]
fn alias_is_found_in_attributes_only() {
    let text = "#[doc(alias(\"one\", \"two\"))]\n// \"three\"";
    let found = ["one", "two", "three"].map(|name| has_alias(text, name));
    assert_eq!(found, [true, true, false]);
}
