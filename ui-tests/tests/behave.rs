//! Every construct, as the compiler runs it and as the machine does.
//!
//! The cases are in `behave/`, a file for each theme. They are written once and compiled twice:
//! plain, and under the attribute, because `subject!` is defined anew in the second module below.
//! For each case both versions must leave the same log of polls, outputs and drops, when they run
//! to the end, when they are dropped at each suspend point, and when a panic strikes at each event.
//!
//! A new case is a `subject!` and a line in `cases()` of the file that it belongs to; a new file is
//! a line in `with_files!`.
#![forbid(unsafe_code)]

#[path = "behave/log.rs"]
mod log;
#[path = "behave/odd_shapes.rs"]
mod odd_shapes;

/// Gives the names of the files of cases to a macro: the one list of them, in alphabetical order.
macro_rules! with_files {
    ($macro:ident) => {
        $macro! {
            arguments
            assigned
            assumed_moves
            async_closures
            awaited_parts
            borrowed
            borrowed_arguments
            borrowed_buffers
            borrowed_parts
            borrowed_temporaries
            bound
            branches
            capital_patterns
            capitals
            captured
            chains
            claimed
            collected
            composed
            conditional
            conditions
            destructors
            dispatch
            else_blocks
            ended_blocks
            extended_temporaries
            fallback
            flows
            for_loops
            formatted_awaits
            fragments
            futures
            guards
            hidden
            in_place
            inferred_types
            known_types
            leaving
            locals_outside_states
            located
            long_lived_temporaries
            match_leftovers
            methods
            matched
            moved_or_used
            moved_sources
            moved_temporaries
            names
            nested_patterns
            numbers
            operands
            order
            own_items
            own_methods
            own_names
            owners
            panicking_leftovers
            partial_moves
            phases
            pointers
            reassigned
            receiver_queries
            cloned_arguments
            receivers
            recomputed_places
            recursion
            reference_flows
            reference_readers
            returned_borrows
            returned_views
            returning
            self_in_macros
            side_by_side
            straight
            tail_matches
            tails
            taken
            taken_apart
            targets
            texts
            under_conditions
            unnamed_values
            unpacked
            untyped
            values
            while_loops
        }
    };
}

/// Puts a case into the list of its file.
macro_rules! case {
    ($list:ident, $name:literal, $future:expr) => {
        $list.push(($name, (|| shown($future)) as Case));
    };
}

macro_rules! modules {
    ($($file:ident)*) => { $(pub(crate) mod $file;)* };
}

#[allow(unused_macros, reason = "redefined below")]
macro_rules! subject {
    ($($function:tt)*) => { $($function)* };
}

/// A function with a fallback reason, so that it gets the native layout.
#[allow(unused_macros, reason = "redefined below")]
macro_rules! doubted {
    ($($function:tt)*) => { $($function)* };
}

/// The cases as they are.
#[path = "behave"]
#[allow(
    clippy::all,
    clippy::pedantic,
    unused_assignments,
    unused_variables,
    reason = "odd on purpose"
)]
mod native {
    use super::{log, odd_shapes};

    with_files!(modules);
}

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine] $($function)* };
}

macro_rules! doubted {
    ($($function:tt)*) => { #[volt::state_machine] $($function)* };
}

/// The same files, under the attribute.
#[path = "behave"]
#[allow(
    clippy::all,
    clippy::pedantic,
    unused_assignments,
    unused_variables,
    reason = "odd on purpose"
)]
mod machine {
    use super::{log, odd_shapes};

    with_files!(modules);
}

use std::collections::BTreeSet;

use log::{Case, Run, run};

type Cases = Vec<(&'static str, Case)>;

macro_rules! files {
    ($($file:ident)*) => {
        [$((stringify!($file), native::$file::cases(), machine::$file::cases())),*]
    };
}

/// Every file: its name, its cases as they are, and the same under the attribute.
fn all_files() -> impl Iterator<Item = (&'static str, Cases, Cases)> {
    with_files!(files).into_iter()
}

/// The files that are run: all of them, or the selected ones, as in `BEHAVE=tails,order`.
///
/// Under Miri all of them together take hours, and `composed` waits for timers that it has not.
fn files() -> impl Iterator<Item = (&'static str, Cases, Cases)> {
    let asked = std::env::var("BEHAVE").ok();
    let is_asked = move |file: &str| match &asked {
        Some(asked) => asked.split(',').any(|name| name == file),
        None => true,
    };
    all_files()
        .filter(|(file, ..)| !cfg!(miri) || *file != "composed")
        .filter(move |(file, ..)| is_asked(file))
}

/// Every case: the names of its file and of itself, and both versions.
fn pairs() -> impl Iterator<Item = (String, Case, Case)> {
    files().flat_map(|(file, native, machine)| {
        assert_eq!(native.len(), machine.len(), "{file}");
        native
            .into_iter()
            .zip(machine)
            .map(move |((name, native), (_, machine))| (format!("{file}: {name}"), native, machine))
    })
}

/// Runs both versions of every case and reports all that differ.
fn compare(runs: impl Fn(Case) -> Vec<Run>) {
    // For futures that wait for a time that never comes. Miri, which has no such timers, skips that
    // file.
    let runtime = (!cfg!(miri)).then(|| volt::LocalRuntime::new().expect("a runtime"));
    let _entered = runtime.as_ref().map(|runtime| runtime.enter());
    let mut compared = 0;
    let mut differences = String::new();
    for (name, native, machine) in pairs() {
        // Miri searches for undefined behaviour, and is slow: it runs only code that is not the
        // compiler's.
        let expected_of = if cfg!(miri) { machine } else { native };
        for run_ in runs(expected_of) {
            let found = run(machine, run_);
            compared += 1;
            if cfg!(miri) {
                continue;
            }
            let expected = run(native, run_);
            if expected != found {
                let (expected, found) = (expected.join(" "), found.join(" "));
                differences +=
                    &format!("{name} {run_:?}\n  native  {expected}\n  machine {found}\n");
            }
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
    assert!(compared > 0 && compared >= pairs().count());
}

#[test]
fn completion_leaves_the_same_log() {
    compare(|_| vec![Run::Complete]);
}

#[test]
fn cancel_at_each_suspend_leaves_the_same_log() {
    compare(|case| {
        let polls = run(case, Run::Complete)
            .iter()
            .filter(|event| *event == "pending")
            .count();
        (0..=polls).map(Run::CancelAfter).collect()
    });
}

#[test]
fn panic_at_each_event_leaves_the_same_log() {
    compare(|case| {
        (0..run(case, Run::Complete).len())
            .map(Run::PanicAt)
            .collect()
    });
}

#[test]
fn every_case_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    for (name, _, _) in pairs() {
        assert!(names.insert(name.clone()), "two cases are named `{name}`");
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads a folder")]
fn every_file_of_cases_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/behave");
    let entries = std::fs::read_dir(folder).expect("the cases are in a folder of this name");
    let on_disk: BTreeSet<String> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .map(|path| path.file_stem().unwrap_or_default().display().to_string())
        .filter(|name| !["log", "odd_shapes"].contains(&&**name))
        .collect();
    let listed: BTreeSet<String> = all_files().map(|(file, _, _)| file.to_owned()).collect();
    assert_eq!(on_disk, listed);
}
