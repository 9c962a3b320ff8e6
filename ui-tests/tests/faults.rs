//! The book's page of faults, and the reports on the macro and on programs, name tests that exist.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "../book/src/faults.md";
const REPORT: &str = "../docs/reports/macro.md";
const PROGRAMS: &str = "../docs/reports/programs.md";

/// The names in the second column of each table.
fn names(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.split('|').nth(2));
    cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// The names of all functions that are tests, in the files below a folder.
fn tests_below(folder: &Path, found: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            tests_below(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.extend(tests_in(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn tests_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        let function = line.strip_prefix("async ").unwrap_or(line);
        if let Some(rest) = function.strip_prefix("fn ") {
            if is_test {
                found.extend(rest.split('(').next().map(str::to_owned));
            }
            is_test = false;
        } else {
            let begins = line.starts_with("#[test]") || line.starts_with("#[volt::test");
            is_test = begins || is_test && !line.is_empty();
        }
    }
    found
}

#[test]
fn each_fault_names_existing_tests() {
    let page = fs::read_to_string(PAGE).unwrap();
    let names = names(&page);
    assert!(names.len() > 50, "the page has tables");
    let mut tests = HashSet::new();
    for folder in ["../volt/src", "../volt/tests"] {
        tests_below(Path::new(folder), &mut tests);
    }
    let missing: Vec<_> = names.iter().filter(|it| !tests.contains(**it)).collect();
    assert!(missing.is_empty(), "{PAGE} names no test: {missing:?}");
}

#[test]
fn every_row_names_a_test() {
    let page = fs::read_to_string(PAGE).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let without: Vec<_> = rows
        .filter(|row| !row.starts_with("| fault |") && !row.starts_with("| --- |"))
        .filter(|row| names(row).is_empty())
        .collect();
    assert!(without.is_empty(), "{without:?}");
}

/// The names of all files of programs below a folder.
fn files_below(folder: &Path, found: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.extend(path.file_stem().map(|it| it.to_string_lossy().into_owned()));
        }
    }
}

#[test]
fn each_kind_of_fault_names_existing_tests() {
    let report = fs::read_to_string(REPORT).unwrap();
    let (_, table) = report
        .split_once("## Kinds of faults and their tests")
        .unwrap();
    let names = names(table);
    assert!(names.len() > 30, "the report has the table");
    let mut found = HashSet::new();
    for folder in [
        "tests",
        "edition-2018/src",
        "../volt/src/machine",
        "../volt/tests",
        "../adapters/hyper/tests",
        "../tools/cargo-volt/src",
    ] {
        tests_below(Path::new(folder), &mut found);
    }
    files_below(Path::new("tests"), &mut found);
    files_below(Path::new("../volt/tests"), &mut found);
    let missing: Vec<_> = names.iter().filter(|it| !found.contains(**it)).collect();
    assert!(missing.is_empty(), "{REPORT} names no test: {missing:?}");
}

#[test]
fn each_program_names_existing_tests() {
    let report = fs::read_to_string(PROGRAMS).unwrap();
    let (_, tables) = report.split_once("## Macro").unwrap();
    let heads = ["| kind |", "| program |", "| --- |"];
    let rows: Vec<_> = tables
        .lines()
        .filter(|line| line.starts_with("| ") && !heads.iter().any(|head| line.starts_with(head)))
        .collect();
    assert!(rows.len() > 50, "the report has the tables");
    let mut found = HashSet::new();
    for folder in ["tests", "edition-2018/src", "../volt/src", "../volt/tests"] {
        tests_below(Path::new(folder), &mut found);
    }
    files_below(Path::new("tests"), &mut found);
    let is_test = |name: &&str| found.contains(*name);
    let without = |row: &&str| names(row).is_empty() || !names(row).iter().all(is_test);
    let without: Vec<_> = rows.into_iter().filter(without).collect();
    assert!(without.is_empty(), "{PROGRAMS}: {without:#?}");
}

#[test]
fn plain_function_is_no_test() {
    let text = "#[test]\n#[ignore]\nfn one() {}\nfn two() {}\n#[volt::test]\nasync fn three() {}\n";
    assert_eq!(tests_in(text), ["one", "three"]);
    let text = "#[test]\n#[should_panic(\n    expected = \"x\"\n)]\nfn one() {}\n\nfn two() {}\n";
    assert_eq!(tests_in(text), ["one"]);
}
