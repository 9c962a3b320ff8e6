//! `Migrate`: a function that changes snapshots of older builds.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::machine::unreadable_text;
use crate::snapshot_text::state_and_values;

/// A function that changes a snapshot of an older build. It receives the name of the state and its
/// values, and returns those of this build, or `None` if it does not know the state.
pub(super) type Migrate = fn(&str, Value) -> Option<(String, Value)>;

/// Reads a machine. A snapshot that it cannot read is changed by `migrate` first.
///
/// # Errors
///
/// Returns the error of the row. Without a change, it is that of the snapshot.
pub(super) fn read_or_migrate<M: DeserializeOwned>(
    snapshot: &str,
    migrate: Option<Migrate>,
) -> Result<M, String> {
    let error = match serde_json::from_str(snapshot) {
        Ok(machine) => return Ok(machine),
        Err(error) => unreadable_text::<M>(snapshot, &error),
    };
    let Some(migrate) = migrate else {
        return Err(error);
    };
    let changed = state_and_values(snapshot).and_then(|(state, values)| migrate(&state, values));
    let Some((state, values)) = changed else {
        return Err(format!(
            "{error}\nnote: the function of `Worker::runs_migrated` has returned `None`"
        ));
    };
    let changed = Value::Object(Map::from_iter([(state, values)])).to_string();
    serde_json::from_str(&changed).map_err(|error| {
        let error = unreadable_text::<M>(&changed, &error);
        format!("{error}\nnote: the function of `Worker::runs_migrated` has returned this state")
    })
}
