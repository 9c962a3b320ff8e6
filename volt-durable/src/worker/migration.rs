//! `Migrate`: a function that changes snapshots of older builds.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A function that changes a snapshot of an older build. It receives the name of the state and its
/// values, and returns those of this build, or `None` if it does not know the state.
pub(super) type Migrate = fn(&str, Value) -> Option<(String, Value)>;

/// Reads a machine. A snapshot that it cannot read is changed by `migrate` first.
///
/// Without a change, the error is that of the snapshot.
pub(super) fn read_or_migrate<M: DeserializeOwned>(
    snapshot: &str,
    migrate: Option<Migrate>,
) -> serde_json::Result<M> {
    let error = match serde_json::from_str(snapshot) {
        Ok(machine) => return Ok(machine),
        Err(error) => error,
    };
    let changed = state_and_values(snapshot)
        .zip(migrate)
        .and_then(|((state, values), migrate)| migrate(&state, values));
    match changed {
        Some((state, values)) => {
            serde_json::from_value(Value::Object(Map::from_iter([(state, values)])))
        }
        None => Err(error),
    }
}

/// Returns the name of a state and its values. A state without values may be a string.
fn state_and_values(snapshot: &str) -> Option<(String, Value)> {
    match serde_json::from_str(snapshot).ok()? {
        Value::String(state) => Some((state, Value::Object(Map::new()))),
        Value::Object(states) if states.len() == 1 => states.into_iter().next(),
        _ => None,
    }
}
