//! The tests of a project, run before and after.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::cargo::Executable;
use crate::command::{run, run_watched, text_of};
use crate::context::Outcome;
use crate::terminal::Progress;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Passed,
    Failed,
    Ignored,
    /// The program was killed before it reported a result.
    TimedOut,
}

/// A test: its package, its program, its name.
pub(crate) type Test = (String, String, String);

/// How all tests ended.
pub(crate) type Endings = BTreeMap<Test, Ending>;

/// The name of the result of a program as a whole.
const WHOLE: &str = "(the program)";

/// How often a test that ended otherwise than before is run again.
const REPEATS: usize = 3;

/// The results of the tests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) before: Endings,
    pub(crate) after: Endings,
    /// Tests that passed before and do not pass now.
    pub(crate) worse: Vec<Test>,
    /// Tests that failed at first, and passed when they were run again.
    pub(crate) unsteady: Vec<Test>,
}

/// Runs all programs of tests, each for at most `limit`.
pub(crate) fn run_all(
    programs: &[Executable],
    limit: Duration,
    progress: &Progress,
) -> Outcome<Endings> {
    let mut endings = Endings::new();
    progress.begin("running tests");
    for (done, program) in (0..).zip(programs) {
        progress.set(done, programs.len() as u64);
        let (shown, target) = (progress.clone(), program.target.clone());
        let watch = move |line: &str| {
            if let Some((name, _)) = line
                .strip_prefix("test ")
                .and_then(|rest| rest.split_once(" ... "))
            {
                shown.set_message(&format!("{target}: {name}"));
            }
        };
        let ended = run_watched(&mut command(program, &[]), limit, watch, |_| {})?;
        let mut told = tests_in(&ended.stdout);
        let whole = match ended.status {
            None => Ending::TimedOut,
            Some(status) if status.success() => Ending::Passed,
            Some(_) => Ending::Failed,
        };
        let is_told = told.iter().any(|(_, ending)| *ending == Ending::Failed);
        if told.is_empty() || (whole != Ending::Passed && !is_told) {
            told.push((WHOLE.to_owned(), whole));
        }
        let key = |name| (program.package.clone(), program.target.clone(), name);
        endings.extend(told.into_iter().map(|(name, ending)| (key(name), ending)));
    }
    Ok(endings)
}

/// Compares the tests, and runs those that are worse again.
pub(crate) fn compare(
    before: Endings,
    after: Endings,
    programs: &[Executable],
    limit: Duration,
) -> Outcome<Comparison> {
    let passes = |endings: &Endings, test: &Test| endings.get(test) == Some(&Ending::Passed);
    let worse = before
        .keys()
        .filter(|test| passes(&before, test) && !passes(&after, test));
    let mut comparison = Comparison::default();
    for test in worse {
        if passes_again(test, programs, limit)? {
            comparison.unsteady.push(test.clone());
        } else {
            comparison.worse.push(test.clone());
        }
    }
    comparison.before = before;
    comparison.after = after;
    Ok(comparison)
}

fn passes_again(test: &Test, programs: &[Executable], limit: Duration) -> Outcome<bool> {
    let (package, target, name) = test;
    let is_its = |program: &&Executable| program.package == *package && program.target == *target;
    let Some(program) = programs.iter().find(is_its) else {
        return Ok(false);
    };
    let arguments = [name.as_str(), "--exact"];
    let arguments: &[&str] = if name == WHOLE { &[] } else { &arguments };
    for _ in 0..REPEATS {
        let ended = run(&mut command(program, arguments), limit)?;
        if ended.success() && (name == WHOLE || is_passed(name, &ended.stdout)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn command(program: &Executable, arguments: &[&str]) -> Command {
    let mut command = Command::new(&program.path);
    command
        .args(arguments)
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder);
    if let Some(path) = libraries(program) {
        command.env("LD_LIBRARY_PATH", path);
    }
    command
}

/// Where the tests of procedural macros find the compiler's libraries.
fn libraries(program: &Executable) -> Option<std::ffi::OsString> {
    let limit = Duration::from_secs(60);
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--print", "sysroot"])
        .current_dir(&program.folder);
    let root = text_of(&mut rustc, limit).ok()?;
    let own = program.path.parent()?.to_owned();
    std::env::join_paths([PathBuf::from(root.trim()).join("lib"), own]).ok()
}

/// Returns `true` if a test ran, and passed. A program without such a test exits with success.
fn is_passed(name: &str, output: &str) -> bool {
    tests_in(output).contains(&(name.to_owned(), Ending::Passed))
}

/// The lines `test name ... ok` of the standard harness.
fn tests_in(output: &str) -> Vec<(String, Ending)> {
    let lines = output.lines().filter_map(|line| line.strip_prefix("test "));
    let told = lines.filter_map(|line| line.split_once(" ... "));
    told.filter_map(|(name, ending)| {
        let ending = match ending.split([' ', ',']).next()? {
            "ok" => Ending::Passed,
            "FAILED" => Ending::Failed,
            "ignored" => Ending::Ignored,
            _ => return None,
        };
        let name = name.split(" - should panic").next().unwrap_or(name);
        Some((name.to_owned(), ending))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{Ending, is_passed, tests_in};

    #[test]
    fn endings_are_read_from_the_harness() {
        let output = "running 4 tests\ntest a::b ... ok\ntest c - should panic ... FAILED\n\
                      test d ... ignored, slow\ntest result: FAILED. 1 passed\nother\n";
        let expected = [
            ("a::b".to_owned(), Ending::Passed),
            ("c".to_owned(), Ending::Failed),
            ("d".to_owned(), Ending::Ignored),
        ];
        assert_eq!(tests_in(output), expected);
    }

    #[test]
    fn missing_test_has_not_passed() {
        let output = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed\n";
        assert!(!is_passed("a::b", output));
        assert!(is_passed("a::b", "running 1 test\ntest a::b ... ok\n"));
    }
}
