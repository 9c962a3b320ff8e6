//! Families whose worker crashes before and after each save.

use std::collections::BTreeSet;

use crate::families::{give_up, let_run, pass_cancellation_on, ship_many, ship_one, ship_two};
use crate::family_runs::{outcomes, ran_with_crashes};

#[test]
fn outcome_of_a_child_is_received_once() {
    let ran = ran_with_crashes(ship_one, false);
    assert_eq!(outcomes(&ran, "ShipOne"), [r#"{"Ok":11}"#]);
    assert_eq!(outcomes(&ran, "Ship"), ["11"]);
    assert_eq!(ran.steps, BTreeSet::from([1]));
}

#[test]
fn joined_children_are_started_once() {
    let ran = ran_with_crashes(ship_two, false);
    assert_eq!(outcomes(&ran, "ShipTwo"), ["1121"]);
    assert_eq!(outcomes(&ran, "Ship"), ["11", "21"]);
}

#[test]
fn limited_children_are_started_once() {
    let ran = ran_with_crashes(|| ship_many(5), false);
    assert_eq!(outcomes(&ran, "ShipMany"), ["[11,21,31,41,51]"]);
    assert_eq!(ran.steps, BTreeSet::from([1, 2, 3, 4, 5]));
}

#[test]
fn child_after_a_timeout_is_cancelled() {
    let ran = ran_with_crashes(give_up, false);
    assert_eq!(outcomes(&ran, "GiveUp"), ["true"]);
    assert_eq!(outcomes(&ran, "WaitLong"), ["1"]);
    assert_eq!(ran.steps, BTreeSet::from([1]));
}

#[test]
fn detached_child_runs_on() {
    let ran = ran_with_crashes(let_run, false);
    assert_eq!(outcomes(&ran, "LetRun"), ["true"]);
    assert_eq!(outcomes(&ran, "Ship"), ["11"]);
}

#[test]
fn cancellation_is_passed_to_the_child() {
    let ran = ran_with_crashes(pass_cancellation_on, true);
    assert_eq!(outcomes(&ran, "PassCancellationOn"), ["true"]);
    assert_eq!(outcomes(&ran, "WaitLong"), ["1"]);
}
