//! The JSON of a difference, in the form of `DumpDiff::json`.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::difference::{Difference, GroupChange};
use super::dump_data::TaskData;

/// Returns the difference as a diff of schema 1.
pub(super) fn value(difference: &Difference<'_>) -> Value {
    let (mut places, mut indices) = (Vec::new(), HashMap::new());
    let mut index = |place: &Value| {
        *indices.entry(place.to_string()).or_insert_with(|| {
            places.push(place.clone());
            places.len() - 1
        })
    };
    let mut group = |change: &GroupChange<'_>| {
        json!({
            "key": change.group.key,
            "trace": change.group.trace.iter().map(&mut index).collect::<Vec<_>>(),
            "before": change.before,
            "after": change.after,
            "not_moved": change.not_moved,
            "idle_polls": change.idle_polls,
        })
    };
    let groups: Vec<_> = difference.groups.iter().map(&mut group).collect();
    let ids = |tasks: &[&TaskData]| tasks.iter().map(|task| task.id.clone()).collect::<Vec<_>>();
    json!({
        "schema": 1,
        "elapsed_ms": difference.elapsed_ms,
        "gone": ids(&difference.gone),
        "new": ids(&difference.new),
        "moved": ids(&difference.moved),
        "not_moved": ids(&difference.not_moved),
        "polled_for_nothing": ids(&difference.polled_for_nothing),
        "idle_polls": difference.idle_polls,
        "groups": groups,
        "places": places,
    })
}
