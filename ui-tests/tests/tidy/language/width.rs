//! Rule: a comment ends within 100 columns.
//!
//! Rows of tables, addresses and code in comments cannot be wrapped, and are left out.

use crate::prose::Line;
use crate::source::{Source, Violation, Workspace};

const RULE: &str = "comment width";

const MOST_COLUMNS: usize = 100;

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let ours = workspace.sources.iter();
    let ours = ours.filter(|source| source.is_rust() && !source.is_ui_case());
    ours.flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Violation> {
    let texts: Vec<&str> = source.text.lines().collect();
    let width = |line: &Line| {
        let text = texts.get(line.number - 1).copied().unwrap_or_default();
        text.chars().count()
    };
    let lines = source.lines().iter().filter(|line| can_be_wrapped(line));
    let wide = lines.map(|line| (line.number, width(line)));
    wide.filter(|(_, width)| *width > MOST_COLUMNS)
        .map(|(number, width)| {
            let said = format!("{width} columns, {MOST_COLUMNS} at most: wrap the comment");
            source.violation(number, RULE, said)
        })
        .collect()
}

fn can_be_wrapped(line: &Line) -> bool {
    let text = line.text.trim_start();
    line.is_whole && !line.is_code && !text.starts_with('|') && !text.contains("://")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn found(text: &str) -> Vec<String> {
        expect::counted(&[("volt/src/a.rs", text)], RULE)
    }

    #[test]
    fn comment_of_100_columns_is_clean() {
        assert!(found(&format!("//! {}\n", "é".repeat(96))).is_empty());
    }

    #[test]
    fn comment_of_101_columns_is_found() {
        let text = format!("//! One.\n\nfn f() {{\n    // {}\n}}\n", "e".repeat(94));
        assert_eq!(found(&text), ["volt/src/a.rs:4"]);
    }

    #[test]
    fn tables_addresses_and_code_are_clean() {
        let long = "e".repeat(100);
        let text = format!("//! | {long} |\n//! <https://{long}>\n//! ```\n//! {long}\n//! ```\n");
        assert!(found(&text).is_empty());
        assert!(found(&format!("//! .\nconst A: &str = \"// {long}\";\n")).is_empty());
    }
}
