//! Snapshots that are wrong: each is an error, and each value that was read is dropped.

use std::panic::catch_unwind;

use serde::Deserialize;

use super::edited::stored::{Counted, live};
use super::forms::Depth;
use super::{Buy, Charge, order, pause, text_after};

fn error<F: for<'de> Deserialize<'de>>(text: &str) -> String {
    match serde_json::from_str::<F>(text) {
        Ok(_) => panic!("`{text}` was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn wrong_snapshot_is_an_error() {
    let cases = [
        (
            r#"{"Shipping":{}}"#,
            "unknown variant `Shipping`, expected one of `start`, `Reserving`, `Paying`",
        ),
        (r#"{"start":{"customer":"Ada"}}"#, "missing field `items`"),
        (
            r#"{"start":{"customer":"Ada","items":[],"customer":"Bob"}}"#,
            "duplicate field `customer`",
        ),
        (
            r#"{"start":{"customer":7,"items":[]}}"#,
            "invalid type: integer `7`, expected a string",
        ),
        (
            r#"{"start":{"customer":"Ada""#,
            "EOF while parsing an object",
        ),
        (
            r#"{"start":{"customer":"Ada","items":[]},"Paying":{}}"#,
            "expected value",
        ),
        (
            r#"{"start":7}"#,
            "expected the values of `Buy` in the state `start` at ui-tests/tests/snapshot",
        ),
        (
            r#"{"start":["Ada"]}"#,
            "invalid length 1, expected a value of each local",
        ),
        (
            r#"{"Paying":{"total":1,"log":[],"await":{"done":{}}}}"#,
            "unknown variant `done`",
        ),
        (r#""start""#, "invalid type"),
        ("[]", "expected value"),
        ("", "EOF while parsing a value"),
    ];
    for (text, expected) in cases {
        let error = error::<Buy>(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn unknown_field_is_ignored() {
    let text = r#"{"start":{"cents":5,"old":{"a":[1]},"card":"Ada"}}"#;
    let machine: Charge = serde_json::from_str(text).unwrap();
    assert_eq!(super::run(machine), "Ada:5");
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn with_option(note: Option<String>, count: u8) -> (Option<String>, u8) {
    pause(1).await;
    (note, count)
}

#[test]
fn missing_option_is_none() {
    let text = text_after(with_option(None, 5), 0);
    assert_eq!(text, r#"{"start":{"note":null,"count":5}}"#);
    let machine: WithOption = serde_json::from_str(r#"{"start":{"count":5}}"#).unwrap();
    assert_eq!(super::run(machine), (None, 5));
}

#[test]
fn truncated_bytes_are_an_error() {
    let mut machine = Box::pin(order());
    while super::poll(&mut machine).is_pending() {
        let bytes = postcard::to_allocvec(&*machine).unwrap();
        for end in 0..bytes.len() {
            assert!(postcard::from_bytes::<Buy>(&bytes[..end]).is_err());
        }
    }
    assert!(postcard::from_bytes::<Buy>(&[3]).is_err());
    assert!(postcard::from_bytes::<Buy>(&[255, 255, 255, 255, 15]).is_err());
}

/// Changes one byte of a snapshot to each of several values: it is read, or is an error.
#[test]
fn changed_bytes_are_read_or_an_error() {
    let mut machine = Box::pin(order());
    let (mut read, mut refused) = (0, 0);
    while super::poll(&mut machine).is_pending() {
        let bytes = postcard::to_allocvec(&*machine).unwrap();
        let values: &[u8] = if cfg!(miri) {
            &[0, 255]
        } else {
            &[0, 1, 2, 3, 127, 128, 255]
        };
        for index in 0..bytes.len() {
            for value in values {
                let mut changed = bytes.clone();
                changed[index] = *value;
                match postcard::from_bytes::<Buy>(&changed) {
                    Ok(machine) => {
                        let again = postcard::to_allocvec(&machine).unwrap();
                        assert!(postcard::from_bytes::<Buy>(&again).is_ok());
                        read += 1;
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(read > 0 && refused > 0, "{read} were read, {refused} not");
}

#[test]
fn nesting_has_a_limit() {
    let mut bytes = vec![2; 128];
    bytes.extend([0, 7]);
    let machine: Depth = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(postcard::to_allocvec(&machine).unwrap(), bytes);
    let mut bytes = vec![2; if cfg!(miri) { 200 } else { 200_000 }];
    bytes.extend([0, 7]);
    assert!(postcard::from_bytes::<Depth>(&bytes).is_err());

    let text = text_after(super::forms::depth(129), 129);
    assert_eq!(text.matches("Below").count(), 128);
    let mut machine = Box::pin(super::forms::depth(130));
    while text_of(&machine).is_ok() {
        assert!(super::poll(&mut machine).is_pending());
    }
    let error = text_of(&machine).unwrap_err();
    assert_eq!(error, "more than 128 boxed machines within each other");
}

fn text_of(machine: &Depth) -> Result<String, String> {
    serde_json::to_string(machine).map_err(|error| error.to_string())
}

#[volt::state_machine(derive(Serialize, Deserialize))]
async fn counted(one: Counted, two: Counted) -> u8 {
    let mut three = Counted::new(3);
    let _only_dropped = Counted::new(4);
    #[state(Waiting)]
    pause(1).await;
    three.0 += one.0;
    drop(one);
    drop(two);
    three.0
}

const FIELDS: [&str; 5] = [
    r#""one":1"#,
    r#""two":2"#,
    r#""three":3"#,
    r#""_only_dropped":4"#,
    r#""await":{"left":0}"#,
];

/// Reads fields in this order. Returns `Ok(true)` if that succeeds, and an error if it panics.
fn read(fields: &[String]) -> Result<bool, ()> {
    let text = format!(r#"{{"Waiting":{{{}}}}}"#, fields.join(","));
    let read = catch_unwind(|| serde_json::from_str::<CountedFuture>(&text));
    let result = match read {
        Ok(Ok(machine)) => {
            assert_eq!(live(), 4);
            let output = super::run(machine);
            assert_eq!(output, 4);
            Ok(true)
        }
        Ok(Err(_)) => Ok(false),
        Err(_) => Err(()),
    };
    assert_eq!(live(), 0, "{text}");
    result
}

#[test]
fn failed_read_drops_all_read_values() {
    for rotation in 0..FIELDS.len() {
        let mut fields: Vec<String> = FIELDS.map(String::from).into();
        fields.rotate_left(rotation);
        assert_eq!(read(&fields), Ok(true));
        for index in 0..FIELDS.len() {
            let mut missing = fields.clone();
            missing.remove(index);
            assert_eq!(read(&missing), Ok(false));
            let mut doubled = fields.clone();
            doubled.push(fields[index].clone());
            assert_eq!(read(&doubled), Ok(false));
            let mut wrong = fields.clone();
            let (name, _) = fields[index].split_once(':').unwrap();
            wrong[index] = format!("{name}:\"text\"");
            assert_eq!(read(&wrong), Ok(false));
            if !name.contains("await") {
                wrong[index] = format!("{name}:13");
                assert_eq!(read(&wrong), Err(()));
            }
        }
    }
}

#[test]
fn stored_value_is_dropped_once() {
    let mut machine = Box::pin(counted(Counted::new(1), Counted::new(2)));
    assert!(super::poll(&mut machine).is_pending());
    assert_eq!(live(), 4);
    let read = super::by_text(&*machine);
    assert_eq!(live(), 8);
    drop(machine);
    assert_eq!(live(), 4);
    assert_eq!(super::run(read), 4);
    assert_eq!(live(), 0);
}
