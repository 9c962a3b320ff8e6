//! Values that are part of several keys.

use std::time::Duration;

use super::value::{Elements, Value};
use crate::runtime::dump::place::{Place, PlaceIndex};
use crate::task::TaskId;

pub(super) fn millis(time: Duration) -> Value<'static> {
    Value::Number(time.as_millis() as u64)
}

pub(super) fn put_ids(ids: &[TaskId], put: Elements<'_>) {
    for id in ids {
        put(Value::Shown(id));
    }
}

pub(super) fn put_trace(trace: &[PlaceIndex], put: Elements<'_>) {
    for place in trace {
        put(Value::Number((*place).into()));
    }
}

pub(super) fn put_place(place: &Place, put: Elements<'_>) {
    put(Value::Text(place.name));
    put(Value::Text(place.state));
    put(Value::Text(place.file));
    put(Value::Number(place.line.into()));
    put(Value::Number(place.column.into()));
}
