//! Steps: a snapshot has the state in front of each, and the driver stores it before the step
//! begins.

use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;

use serde::Serialize;
use volt::machine::StepDriver;

use super::{pause, poll, run};

thread_local! {
    /// The calls so far.
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A call of another service, which cannot be stored. It is pending once.
async fn call(name: &str) -> String {
    CALLS.with_borrow_mut(|calls| calls.push(name.to_owned()));
    volt::task::yield_now().await;
    name.to_uppercase()
}

async fn append(log: &mut Vec<String>, name: &str) {
    let called = call(name).await;
    log.push(called);
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn fulfil(items: Vec<String>) -> Vec<String> {
    let mut log = Vec::new();
    for item in items {
        #[step]
        #[state(Reserving)]
        let reserved = call(&item).await;
        log.push(reserved);
    }
    pause(1).await;
    #[step]
    append(&mut log, "ship").await;
    #[step]
    #[state(Mailing)]
    let sent = call("mail").await;
    log.push(sent);
    log
}

fn items() -> Vec<String> {
    vec!["pen".into(), "ink".into()]
}

/// Runs a machine with a driver. Returns its output, and the stored snapshots.
pub(super) fn drive<F>(machine: F, driver: &mut StepDriver<String>) -> (F::Output, Vec<String>)
where
    F: Future + Serialize,
{
    let mut stored = Vec::new();
    let store = async |snapshot: &String, _| {
        stored.push(snapshot.clone());
        Ok::<_, serde_json::Error>(())
    };
    let output = run(driver.run(pin!(machine), serde_json::to_string, store));
    (output.unwrap(), stored)
}

/// The snapshots of a new machine.
fn snapshots<F: Future + Serialize>(machine: F) -> Vec<String> {
    drive(machine, &mut StepDriver::new()).1
}

#[test]
fn snapshot_has_the_state_before_each_step() {
    let (output, stored) = drive(fulfil(items()), &mut StepDriver::new());
    assert_eq!(output, ["PEN", "INK", "SHIP", "MAIL"]);
    let expected = [
        r#"{"Reserving":{"log":[],"for":["ink"],"item":"pen","await":0}}"#,
        r#"{"Reserving":{"log":["PEN"],"for":[],"item":"ink","await":1}}"#,
        r#"{"await pause":{"log":["PEN","INK"],"await":{"left":0}}}"#,
        r#"{"step append (ship)":{"log":["PEN","INK"],"await":2}}"#,
        r#"{"Mailing":{"log":["PEN","INK","SHIP"],"await":3}}"#,
    ];
    assert_eq!(stored, expected);
}

#[test]
fn machine_without_driver_has_no_checkpoint() {
    assert_eq!(run(fulfil(items())), ["PEN", "INK", "SHIP", "MAIL"]);
    let mut machine = Box::pin(fulfil(items()));
    assert!(poll(&mut machine).is_pending());
    let error = serde_json::to_string(&*machine).unwrap_err().to_string();
    assert_eq!(error, "`Fulfil` is in a step, at `await call`");
}

#[test]
fn state_of_a_step_cannot_be_read() {
    for state in ["await call", "await append", ""] {
        let text = format!(r#"{{"{state}":{{"log":[],"await":null}}}}"#);
        let error = serde_json::from_str::<Fulfil>(&text).unwrap_err();
        let error = error.to_string();
        let expected = format!("unknown variant `{state}`, expected one of `start`, `Reserving`");
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn send(name: String) -> Result<String, String> {
    #[step]
    let first = fallible(&name).await?;
    #[step]
    #[state(Block)]
    {
        call("block").await;
        call("again").await;
    }
    #[step]
    #[state(Sync)]
    CALLS.with_borrow_mut(|calls| calls.push(first));
    let mut count: usize = 0;
    #[step]
    #[state(Assigned)]
    count += call("count").await.len();
    assert_eq!(count, 5);
    #[step]
    #[state(Last)]
    fallible(&name).await
}

async fn fallible(name: &str) -> Result<String, String> {
    match call(name).await {
        upper if upper == "BAD" => Err(upper),
        upper => Ok(upper),
    }
}

#[test]
fn each_kind_of_statement_can_be_a_step() {
    let (output, stored) = drive(send("a".into()), &mut StepDriver::new());
    assert_eq!(output, Ok("A".into()));
    let expected = [
        r#"{"step fallible (first)":{"name":"a","await":0}}"#,
        r#"{"Block":{"name":"a","first":"A","await":1}}"#,
        r#"{"Sync":{"name":"a","first":"A","await":2}}"#,
        r#"{"Assigned":{"name":"a","count":0,"await":3}}"#,
        r#"{"Last":{"name":"a","await":4}}"#,
    ];
    assert_eq!(stored, expected);
    assert_eq!(run(send("bad".into())), Err("BAD".into()));
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn outer(name: String) -> Vec<String> {
    #[state(Inner)]
    let stored = fulfil(vec![name.clone()]).await;
    #[step]
    let unstored = fulfil(vec![name]).await;
    #[step]
    call("first").await;
    #[step]
    call("second").await;
    [stored, unstored].concat()
}

#[test]
fn outer_snapshot_contains_the_inner_checkpoint() {
    let (output, stored) = drive(outer("pen".into()), &mut StepDriver::new());
    assert_eq!(output.len(), 6);
    let expected = [
        r#"{"Inner":{"name":"pen","await":{"Reserving":{"log":[],"for":[],"item":"pen","await":0}}}}"#,
        r#"{"Inner":{"name":"pen","await":{"await pause":{"log":["PEN"],"await":{"left":0}}}}}"#,
        r#"{"Inner":{"name":"pen","await":{"step append (ship)":{"log":["PEN"],"await":1}}}}"#,
        r#"{"Inner":{"name":"pen","await":{"Mailing":{"log":["PEN","SHIP"],"await":2}}}}"#,
        r#"{"step fulfil (unstored)":{"name":"pen","stored":["PEN","SHIP","MAIL"],"await":3}}"#,
        r#"{"step call (first)":{"stored":["PEN","SHIP","MAIL"],"unstored":["PEN","SHIP","MAIL"],"await":4}}"#,
        r#"{"step call (second)":{"stored":["PEN","SHIP","MAIL"],"unstored":["PEN","SHIP","MAIL"],"await":5}}"#,
    ];
    assert_eq!(stored, expected);
}

#[allow(
    non_camel_case_types,
    reason = "the future of a function has the name of the function"
)]
type pause = super::Pause;

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn generic<T: Clone>(value: T) -> T {
    #[step]
    #[state(Waiting)]
    pause(1).await;
    value
}

#[test]
fn generic_machine_has_steps() {
    assert_eq!(
        snapshots(generic(7_u8)),
        [r#"{"Waiting":{"value":7,"await":0}}"#]
    );
}

/// Continues from a stored snapshot, as after a crash. `next_step` is the number after it.
fn resume<F>(snapshot: &str, next_step: u64) -> (F::Output, Vec<String>)
where
    F: Future + Serialize + serde::de::DeserializeOwned,
{
    let machine: F = serde_json::from_str(snapshot).unwrap();
    drive(
        machine,
        &mut StepDriver::resume(snapshot.to_owned(), next_step),
    )
}

#[test]
fn restored_machine_runs_the_step_again() {
    let stored = snapshots(fulfil(items()));
    CALLS.take();
    let (output, later) = resume::<Fulfil>(&stored[3], 3);
    assert_eq!(output, ["PEN", "INK", "SHIP", "MAIL"]);
    assert_eq!(CALLS.take(), ["ship", "mail"]);
    assert_eq!(later, stored[4..]);
}

#[test]
fn snapshot_is_stored_again_after_an_error() {
    let mut machine = pin!(fulfil(items()));
    let mut driver = StepDriver::new();
    let mut stored = Vec::new();
    let mut errors = 0;
    let output = loop {
        let store = async |snapshot: &String, _| {
            // Each snapshot is stored at the second attempt.
            if stored.last() == Some(snapshot) {
                return Ok(());
            }
            stored.push(snapshot.clone());
            Err(std::io::Error::other("the disk is full"))
        };
        let running = driver.run(machine.as_mut(), serde_json::to_string, store);
        match run(running) {
            Ok(output) => break output,
            Err(_) => errors += 1,
        }
    };
    assert_eq!(errors, stored.len());
    assert_eq!(stored, snapshots(fulfil(items())));
    assert!(!output.is_empty());
}
