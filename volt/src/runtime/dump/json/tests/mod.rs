//! The JSON of a sample, compared with a stored file.

use std::path::Path;

use super::schema::DumpJson;
use crate::runtime::dump::sample::{dump, sample, task};

/// Parses the JSON. The values that differ from run to run are replaced.
fn parsed(json: DumpJson<'_>) -> serde_json::Map<String, serde_json::Value> {
    let mut value: serde_json::Value = serde_json::from_str(&json.to_string()).unwrap();
    assert_eq!(value["pid"], std::process::id());
    let instance = value["instance"].as_str().unwrap();
    assert!(instance.ends_with("-beef"), "{instance}");
    value["pid"] = 1.into();
    value["instance"] = "1-0-beef".into();
    value["runtime"] = "volt 0.0.0".into();
    value.as_object().unwrap().clone()
}

/// A change of this file must be one that the compatibility rule of the schema allows. The file is
/// written again if the environment has `UPDATE_SCHEMA`.
#[test]
#[cfg_attr(miri, ignore = "the test reads a file")]
fn sample_has_the_stored_json() {
    assert_stored("sample.json", &parsed(sample().json()));
}

/// Compares a value with a stored file, which has a line for each key.
fn assert_stored(name: &str, value: &serde_json::Map<String, serde_json::Value>) {
    let lines = value
        .iter()
        .map(|(key, value)| format!("\"{key}\": {value}"));
    let text = format!("{{\n{}\n}}\n", lines.collect::<Vec<_>>().join(",\n"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/runtime/dump/json/tests");
    let path = folder.join(name);
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap());
}

/// The dumps and the diff are those that the tests of `cargo volt diff` use.
#[test]
#[cfg_attr(miri, ignore = "the test reads files")]
fn diff_of_samples_has_the_stored_json() {
    let (before, mut after) = (sample(), sample());
    after.taken += std::time::Duration::from_millis(3_000);
    after.tasks[0].polls += 1;
    // This task has a tree, which does not change.
    after.tasks[3].polls += 1;
    let mut new = task(6, 10);
    new.position = [].into();
    after.tasks[1] = new;
    let diff = serde_json::from_str(&after.diff(&before).json().to_string()).unwrap();
    for (name, value) in [("after.json", parsed(after.json())), ("diff.json", diff)] {
        assert_stored(name, &value);
    }
}

#[test]
fn task_array_has_a_value_for_each_column() {
    let json = parsed(sample().json());
    let columns = json["columns"].as_array().unwrap().len();
    let tasks = json["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 5);
    for task in tasks {
        assert_eq!(task.as_array().unwrap().len(), columns, "{task}");
    }
}

#[test]
fn json_without_tasks_has_the_other_keys() {
    let mut all = parsed(sample().json());
    all.retain(|key, _| key != "columns" && key != "tasks");
    assert_eq!(parsed(sample().json().without_tasks()), all);
}

#[cfg(feature = "serde")]
#[test]
fn serialize_writes_the_same_schema() {
    let sample = sample();
    assert_eq!(
        serde_json::to_string(&sample).unwrap(),
        sample.json().to_string()
    );
}

#[test]
fn diff_names_each_place_once() {
    let before = dump(vec![task(1, 25), task(2, 25), task(3, 25)]);
    let after = dump(vec![task(1, 25), task(4, 25)]);
    let json: serde_json::Value =
        serde_json::from_str(&after.diff(&before).json().to_string()).unwrap();
    let expected = serde_json::json!({
        "schema": 1,
        "elapsed_ms": 0,
        "gone": ["2.1", "3.1"],
        "new": ["4.1"],
        "moved": [],
        "not_moved": ["1.1"],
        "polled_for_nothing": [],
        "idle_polls": 0,
        "groups": [{
            "key": json["groups"][0]["key"],
            "trace": [0, 1],
            "before": 3,
            "after": 2,
            "not_moved": 1,
            "idle_polls": 0,
        }],
        "places": [
            ["Session", "await read_frame", "src/session.rs", 52, 30],
            ["ReadFrame", "await poll_fn", "src/frame.rs", 31, 14],
        ],
    });
    assert_eq!(json, expected);
}
