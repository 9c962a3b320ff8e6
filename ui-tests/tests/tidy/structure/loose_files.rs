//! Rule: a folder of sources holds at most twelve files beside its `mod.rs`.
//!
//! Cargo finds the targets in `tests`, `benches` and `src/bin` by their place, and the programs
//! below `ui-tests/tests` are data, so the rule leaves these folders out.

use std::collections::BTreeMap;

use crate::source::{Source, Violation, Workspace};

const RULE: &str = "loose files";

const MOST_FILES: usize = 12;

/// Files that each folder may hold in addition.
const ROOTS: [&str; 5] = ["build.rs", "lib.rs", "main.rs", "mod.rs", "tests.rs"];

/// Folders of `ui-tests/tests` whose files are cases.
const CASES: [&str; 8] = [
    "adopted", "behave", "compiled", "expand", "inferred", "pass", "refuse", "stages",
];

pub(crate) fn check(workspace: &Workspace) -> Vec<Violation> {
    let mut folders: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in workspace.sources.iter().filter(|source| source.is_rust()) {
        if let Some((folder, name)) = source.path.rsplit_once('/')
            && !ROOTS.contains(&name)
            && !is_free(folder)
        {
            folders.entry(folder).or_default().push(source);
        }
    }
    let crowded = folders.iter().filter(|(_, files)| files.len() > MOST_FILES);
    crowded
        .flat_map(|(folder, files)| of_folder(folder, files))
        .collect()
}

/// One violation for each file beyond the limit.
fn of_folder(folder: &str, files: &[&Source]) -> Vec<Violation> {
    let said = format!(
        "`{folder}` holds {} files, {MOST_FILES} at most: group related files in a folder",
        files.len()
    );
    let beyond = files.iter().skip(MOST_FILES);
    beyond
        .map(|file| file.violation(1, RULE, said.clone()))
        .collect()
}

fn is_free(folder: &str) -> bool {
    let is_target = ["/tests", "/benches", "/src/bin"]
        .iter()
        .any(|end| folder.ends_with(end) && !folder.contains("/src/tests"));
    let case = folder.strip_prefix("ui-tests/tests/");
    let case = case.and_then(|folder| folder.split('/').next());
    is_target || case.is_some_and(|case| CASES.contains(&case))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::expect;

    fn files(folder: &str, count: usize) -> Vec<String> {
        (0..count)
            .map(|at| format!("{folder}/f{at:02}.rs"))
            .collect()
    }

    fn counted(folder: &str, count: usize) -> Vec<String> {
        let mut paths = files(folder, count);
        paths.push(format!("{folder}/mod.rs"));
        let files: Vec<_> = paths
            .iter()
            .map(|path| (path.as_str(), "//! .\n"))
            .collect();
        expect::counted(&files, RULE)
    }

    #[test]
    fn twelve_files_and_a_mod_are_clean() {
        assert!(counted("volt/src/task", 12).is_empty());
    }

    #[test]
    fn each_file_beyond_twelve_is_found() {
        let found = counted("volt/src/task", 14);
        assert_eq!(found, ["volt/src/task/f12.rs:1", "volt/src/task/f13.rs:1"]);
    }

    #[test]
    fn targets_and_cases_are_clean() {
        assert!(counted("volt/tests", 13).is_empty());
        assert!(counted("examples/src/bin", 13).is_empty());
        assert!(counted("ui-tests/tests/behave", 13).is_empty());
    }

    #[test]
    fn unit_tests_are_counted() {
        assert_eq!(counted("volt/src/tests", 13).len(), 1);
    }
}
