//! Machines that derive `Serialize` and `Deserialize`.
#![forbid(unsafe_code)]

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use serde::Serialize;
use serde::de::DeserializeOwned;

#[path = "snapshot/natural_steps.rs"]
mod natural_steps;
#[path = "snapshot/moves/natural_moves.rs"]
mod natural_moves;
#[path = "snapshot/moves/copied_or_moved.rs"]
mod copied_or_moved;
#[path = "snapshot/natural_futures.rs"]
mod natural_futures;
#[path = "snapshot/older_names.rs"]
mod older_names;
#[path = "snapshot/pausing.rs"]
mod pausing;
#[path = "snapshot/edited.rs"]
mod edited;
#[path = "snapshot/forms.rs"]
mod forms;
#[path = "snapshot/step_changes.rs"]
mod step_changes;
#[path = "snapshot/step_crashes.rs"]
mod step_crashes;
#[path = "snapshot/step_options.rs"]
mod step_options;
#[path = "snapshot/steps.rs"]
mod steps;
#[path = "snapshot/hostile.rs"]
mod hostile;

use self::pausing::{Pause, pause};

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn charge(card: String, cents: u64) -> String {
    #[state(Settling)]
    pause(1).await;
    format!("{card}:{cents}")
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn buy(customer: String, items: Vec<String>) -> (u64, Vec<String>) {
    let mut total = 0_u64;
    let mut log = Vec::new();
    for item in items {
        let cents = item.len() as u64;
        #[state(Reserving)]
        pause(1).await;
        total += cents;
        log.push(format!("{customer} {item}"));
    }
    #[state(Paying)]
    let receipt = charge(customer, total).await;
    log.push(receipt);
    (total, log)
}

/// Polls once.
fn poll<F: Future>(machine: &mut Pin<Box<F>>) -> Poll<F::Output> {
    let mut cx = Context::from_waker(Waker::noop());
    machine.as_mut().poll(&mut cx)
}

/// Runs a machine without a snapshot.
fn run<F: Future>(machine: F) -> F::Output {
    let mut machine = Box::pin(machine);
    loop {
        if let Poll::Ready(output) = poll(&mut machine) {
            return output;
        }
    }
}

/// Runs a machine, which is written and read again before each poll.
fn run_stored<F>(machine: F, store: impl Fn(&F) -> F) -> F::Output
where
    F: Future + Serialize + DeserializeOwned,
{
    let mut machine = Box::pin(machine);
    loop {
        machine = Box::pin(store(&machine));
        if let Poll::Ready(output) = poll(&mut machine) {
            return output;
        }
    }
}

fn by_text<F: Serialize + DeserializeOwned>(machine: &F) -> F {
    let text = serde_json::to_string(machine).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn by_value<F: Serialize + DeserializeOwned>(machine: &F) -> F {
    let value = serde_json::to_value(machine).unwrap();
    serde_json::from_value(value).unwrap()
}

fn by_bytes<F: Serialize + DeserializeOwned>(machine: &F) -> F {
    let bytes = postcard::to_allocvec(machine).unwrap();
    postcard::from_bytes(&bytes).unwrap()
}

/// Asserts that a machine has the same output with and without snapshots, in each format.
fn assert_continues<F>(make: impl Fn() -> F)
where
    F: Future<Output: PartialEq + std::fmt::Debug> + Serialize + DeserializeOwned,
{
    let expected = run(make());
    assert_eq!(run_stored(make(), by_text), expected);
    assert_eq!(run_stored(make(), by_value), expected);
    assert_eq!(run_stored(make(), by_bytes), expected);
}

/// Returns the text of a machine after a number of polls.
fn text_after<F: Future + Serialize>(machine: F, polls: usize) -> String {
    let mut machine = Box::pin(machine);
    for _ in 0..polls {
        assert!(poll(&mut machine).is_pending());
    }
    serde_json::to_string(&*machine).unwrap()
}

fn order() -> Buy {
    buy("Ada".into(), vec!["pen".into(), "paper".into()])
}

#[test]
fn machine_continues_from_each_snapshot() {
    let expected = (
        8,
        vec!["Ada pen".into(), "Ada paper".into(), "Ada:8".into()],
    );
    assert_eq!(run_stored(order(), by_text), expected);
    assert_eq!(run_stored(order(), by_value), expected);
    assert_eq!(run_stored(order(), by_bytes), expected);
}

#[test]
fn snapshot_has_state_and_locals_by_name() {
    let mut machine = Box::pin(order());
    let mut shown = vec![serde_json::to_string(&*machine).unwrap()];
    while poll(&mut machine).is_pending() {
        shown.push(serde_json::to_string(&*machine).unwrap());
    }
    let expected = [
        r#"{"start":{"customer":"Ada","items":["pen","paper"]}}"#,
        r#"{"Reserving":{"customer":"Ada","total":0,"log":[],"for":["paper"],"item":"pen","cents":3,"await":{"left":0}}}"#,
        r#"{"Reserving":{"customer":"Ada","total":3,"log":["Ada pen"],"for":[],"item":"paper","cents":5,"await":{"left":0}}}"#,
        r#"{"Paying":{"total":8,"log":["Ada pen","Ada paper"],"await":{"Settling":{"card":"Ada","cents":8,"await":{"left":0}}}}}"#,
    ];
    assert_eq!(shown, expected);
    let error = serde_json::to_string(&*machine).unwrap_err().to_string();
    assert_eq!(error, "`Buy` has ended, and stores nothing");
}
