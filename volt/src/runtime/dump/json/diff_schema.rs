//! The JSON of a diff, with the number of the schema of dumps.

use std::collections::HashMap;
use std::fmt::{self, Display};

use super::schema::SCHEMA;
use super::shared_values::{put_ids, put_place};
use super::value::{Elements, Entries, Value};
use crate::runtime::dump::diff::{DumpDiff, GroupChange};
use crate::runtime::dump::place::Place;

/// The JSON of a diff; see [`DumpDiff::json`].
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct DiffJson<'a>(&'a DumpDiff);

impl DumpDiff {
    /// Returns the diff as JSON, which [`Display`] writes. The book describes its keys.
    pub fn json(&self) -> DiffJson<'_> {
        DiffJson(self)
    }
}

impl DiffJson<'_> {
    /// Calls `write` with the whole value.
    pub(super) fn with_value<R>(&self, write: impl FnOnce(Value<'_>) -> R) -> R {
        let diff = self.0;
        let (mut places, mut indices) = (Vec::new(), HashMap::new());
        for place in diff.groups.iter().flat_map(|group| &group.trace) {
            indices.entry(*place).or_insert_with(|| {
                places.push(*place);
                places.len() as u64 - 1
            });
        }
        write(Value::Object(&|put| put_diff(diff, &places, &indices, put)))
    }
}

impl Display for DiffJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_value(|value| value.fmt(f))
    }
}

fn put_diff(diff: &DumpDiff, places: &[Place], indices: &HashMap<Place, u64>, put: Entries<'_>) {
    put("schema", Value::Number(SCHEMA));
    put("elapsed_ms", Value::Number(diff.elapsed.as_millis() as u64));
    put("gone", Value::List(&|put| put_ids(&diff.gone, put)));
    put("new", Value::List(&|put| put_ids(&diff.new, put)));
    put("moved", Value::List(&|put| put_ids(&diff.moved, put)));
    put(
        "not_moved",
        Value::List(&|put| put_ids(&diff.not_moved, put)),
    );
    put(
        "polled_for_nothing",
        Value::List(&|put| put_ids(&diff.polled_for_nothing, put)),
    );
    put("idle_polls", Value::Number(diff.idle_polls));
    let put_groups = |put: Elements<'_>| {
        for group in &diff.groups {
            put(Value::Object(&|put| put_change(group, indices, put)));
        }
    };
    put("groups", Value::List(&put_groups));
    let put_places = |put: Elements<'_>| {
        for place in places {
            put(Value::List(&|put| put_place(place, put)));
        }
    };
    put("places", Value::List(&put_places));
}

fn put_change(group: &GroupChange, indices: &HashMap<Place, u64>, put: Entries<'_>) {
    let put_trace = |put: Elements<'_>| {
        for place in &group.trace {
            put(Value::Number(indices[place]));
        }
    };
    put("key", Value::Shown(&format_args!("{:016x}", group.key)));
    put("trace", Value::List(&put_trace));
    put("before", Value::Number(group.before as u64));
    put("after", Value::Number(group.after as u64));
    put("not_moved", Value::Number(group.not_moved as u64));
    put("idle_polls", Value::Number(group.idle_polls));
}
