//! Every construct, as the compiler runs it and as the machine does.
//!
//! The cases are written once and compiled twice: as they are, and under the attribute. For each
//! case both versions must leave the same log of polls, outputs and drops, when they run to the
//! end, when they are dropped at each suspend point, and when a panic strikes at each event.
#![forbid(unsafe_code)]

#[path = "behave/log.rs"]
mod log;

macro_rules! case {
    ($list:ident, $name:literal, $future:expr) => {
        $list.push(($name, (|| shown($future)) as Case));
    };
}

/// The files of cases, under names of their own.
macro_rules! cases {
    ($($path:literal $name:ident)*) => {
        $(#[path = $path]
        #[allow(
            clippy::all,
            clippy::pedantic,
            unused_assignments,
            unused_variables,
            reason = "odd on purpose"
        )]
        mod $name;)*
    };
}

#[allow(unused_macros, reason = "redefined below")]
macro_rules! subject {
    ($($function:tt)*) => { $($function)* };
}

cases! {
    "behave/cases.rs" native
    "behave/loops.rs" native_loops
    "behave/operands.rs" native_operands
    "behave/values.rs" native_values
    "behave/conditions.rs" native_conditions
    "behave/conditional.rs" native_conditional
    "behave/in_place.rs" native_in_place
    "behave/beside.rs" native_beside
    "behave/methods.rs" native_methods
    "behave/order.rs" native_order
    "behave/arguments.rs" native_arguments
    "behave/taken.rs" native_taken
    "behave/unpacked.rs" native_unpacked
    "behave/untyped.rs" native_untyped
    "behave/returning.rs" native_returning
    "behave/located.rs" native_located
    "behave/dispatch.rs" native_dispatch
    "behave/composed.rs" native_composed
}

macro_rules! subject {
    ($($function:tt)*) => { #[volt::state_machine] $($function)* };
}

cases! {
    "behave/cases.rs" machine
    "behave/loops.rs" machine_loops
    "behave/operands.rs" machine_operands
    "behave/values.rs" machine_values
    "behave/conditions.rs" machine_conditions
    "behave/conditional.rs" machine_conditional
    "behave/in_place.rs" machine_in_place
    "behave/beside.rs" machine_beside
    "behave/methods.rs" machine_methods
    "behave/order.rs" machine_order
    "behave/arguments.rs" machine_arguments
    "behave/taken.rs" machine_taken
    "behave/unpacked.rs" machine_unpacked
    "behave/untyped.rs" machine_untyped
    "behave/returning.rs" machine_returning
    "behave/located.rs" machine_located
    "behave/dispatch.rs" machine_dispatch
    "behave/composed.rs" machine_composed
}

use log::{Case, Run, run};

fn pairs() -> impl Iterator<Item = (&'static str, Case, Case)> {
    let native = [
        native::cases(),
        native_loops::cases(),
        native_operands::cases(),
        native_values::cases(),
        native_conditions::cases(),
        native_conditional::cases(),
        native_in_place::cases(),
        native_beside::cases(),
        native_methods::cases(),
        native_order::cases(),
        native_arguments::cases(),
        native_taken::cases(),
        native_unpacked::cases(),
        native_untyped::cases(),
        native_returning::cases(),
        native_located::cases(),
        native_dispatch::cases(),
        native_composed::cases(),
    ]
    .concat();
    let machine = [
        machine::cases(),
        machine_loops::cases(),
        machine_operands::cases(),
        machine_values::cases(),
        machine_conditions::cases(),
        machine_conditional::cases(),
        machine_in_place::cases(),
        machine_beside::cases(),
        machine_methods::cases(),
        machine_order::cases(),
        machine_arguments::cases(),
        machine_taken::cases(),
        machine_unpacked::cases(),
        machine_untyped::cases(),
        machine_returning::cases(),
        machine_located::cases(),
        machine_dispatch::cases(),
        machine_composed::cases(),
    ]
    .concat();
    assert_eq!(native.len(), machine.len());
    native
        .into_iter()
        .zip(machine)
        .map(|((name, native), (_, machine))| (name, native, machine))
}

/// Runs both versions of every case and reports all that differ.
fn compare(runs: impl Fn(Case) -> Vec<Run>) {
    // For what waits for a time that never comes.
    let runtime = volt::LocalRuntime::new().expect("a runtime");
    let _entered = runtime.enter();
    let mut compared = 0;
    let mut differences = String::new();
    for (name, native, machine) in pairs() {
        for run_ in runs(native) {
            let (expected, found) = (run(native, run_), run(machine, run_));
            compared += 1;
            if expected != found && !only_forgets(&expected, &found) {
                let (expected, found) = (expected.join(" "), found.join(" "));
                differences +=
                    &format!("{name} {run_:?}\n  native  {expected}\n  machine {found}\n");
            }
        }
    }
    assert!(differences.is_empty(), "\n{differences}");
    assert!(compared >= pairs().count());
}

/// Whether all that the compiler's version lacks are drops after a destructor that panicked.
///
/// When the destructor of a future panics just after it gave its value, the compiler's coroutine
/// forgets the value, and so it does with the new value when that of an old one panics in an
/// assignment. The machine drops both.
fn only_forgets(native: &[String], machine: &[String]) -> bool {
    let Some(struck) = native.iter().position(|event| event == "panic:struck") else {
        return false;
    };
    let (before, after) = native.split_at(struck);
    let in_destructor = before.last().is_some_and(|event| event.starts_with('~'));
    let rest = machine
        .strip_prefix(before)
        .and_then(|rest| rest.strip_suffix(after));
    in_destructor && rest.is_some_and(|rest| rest.iter().all(|event| event.starts_with('~')))
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
