//! `cargo volt durable check` compares the schema files of two builds.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Writes a schema of one machine, whose state has these locals.
fn file(name: &str, state: &str, locals: &Value) -> PathBuf {
    let schema = json!({ "machines": { "Ship": {
        "states": { state: locals },
        "outcome": "string",
    } } });
    let name = format!("{name}-{}.json", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, schema.to_string()).expect("a written file");
    path
}

/// Returns the exit code and the text of the command.
fn check(old: &Path, new: &Path, options: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-volt"));
    command.args(["volt", "durable", "check"]).args([old, new]);
    let output = command.args(options).output().expect("the command runs");
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8(text).expect("UTF-8"),
    )
}

#[test]
fn compatible_changes_succeed() {
    let old = file("a-old", "Waiting", &json!({ "id": "u32" }));
    let new = file(
        "a-new",
        "Waiting",
        &json!({ "id": "u64", "note": { "option": "string" } }),
    );
    let (code, text) = check(&old, &new, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("loads   Ship, state `Waiting`, `id`: was `u32`, and is `u64`"));
    // Workers of the old build read some of the new integers only.
    let (code, text) = check(&old, &new, &["--rolling"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(check(&old, &old, &[]).1, "no change of stored machines\n");
}

#[test]
fn incompatible_changes_fail() {
    let old = file("b-old", "Waiting", &json!({ "id": "u32" }));
    let renamed = file("b-renamed", "Waiting", &json!({ "order": "u32" }));
    let (code, text) = check(&old, &renamed, &["--json"]);
    assert_eq!(code, Some(1), "{text}");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["changes"][0]["effect"], "parks");
    assert_eq!(report["changes"][0]["path"], "order");
    let removed = file("b-removed", "WaitingForTruck", &json!({ "id": "u32" }));
    let (code, text) = check(&old, &removed, &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("waits   Ship, state `Waiting`: the state was removed"));
}

#[test]
fn file_without_a_schema_is_an_error() {
    let old = file("c-old", "Waiting", &json!({}));
    let other = old.with_extension("txt");
    std::fs::write(&other, "[]").expect("a written file");
    let (code, text) = check(&old, &other, &[]);
    assert_ne!(code, Some(0));
    assert!(text.contains("as a schema"), "{text}");
}

/// Writes a schema whose states of `Ship` and their older names are these.
fn file_with_older(name: &str, states: &Value, older: &Value) -> PathBuf {
    let schema = json!({ "machines": { "Ship": {
        "states": states,
        "older": older,
        "outcome": "string",
    } } });
    let path = file(name, "start", &json!({}));
    std::fs::write(&path, schema.to_string()).expect("a written file");
    path
}

/// The new build renames a state and a local, and adds a local with a default.
#[test]
fn older_names_and_defaults_succeed() {
    let old = file("d-old", "Waiting", &json!({ "purchase": "u64" }));
    let locals = json!({
        "order": "u64",
        "purchase": { "was": "order" },
        "parcels": { "default": "u32" },
    });
    let states = json!({ "WaitingForTruck": locals, "Waiting": locals });
    let new = file_with_older("d-new", &states, &json!(["Waiting"]));
    let (code, text) = check(&old, &new, &[]);
    assert_eq!(code, Some(0), "{text}");
    for line in [
        "loads   Ship, state `Waiting`: the state has another name now, and this one is read",
        "loads   Ship, state `Waiting`, `purchase`: is `order` now",
        "loads   Ship, state `Waiting`, `parcels`: was added, and has a default",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // Workers of the old build leave machines in the new state.
    let (code, text) = check(&old, &new, &["--rolling"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("waits   Ship, state `WaitingForTruck`"),
        "{text}"
    );
}

/// A later build without the older names does not read what the first build has stored.
#[test]
fn removed_older_names_fail() {
    let locals = json!({ "order": "u64", "purchase": { "was": "order" } });
    let states = json!({ "WaitingForTruck": locals, "Waiting": locals });
    let new = file_with_older("e-new", &states, &json!(["Waiting"]));
    let last = file("e-last", "WaitingForTruck", &json!({ "order": "u64" }));
    let (code, text) = check(&new, &last, &[]);
    assert_eq!(code, Some(1), "{text}");
    for line in [
        "waits   Ship, state `Waiting`: the older name was removed",
        "`purchase`: was an older name, and values that an earlier build stored with it are lost",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
