//! The form of a row for operators.

use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::hidden_secrets::hidden_secrets;
use crate::machine_id::MachineId;
use crate::store::{Row, Status, Timestamp};

/// The form of a row for operators.
#[derive(serde::Serialize)]
struct ShownRow<'a> {
    id: MachineId,
    #[serde(rename = "type")]
    machine_type: &'a str,
    key: &'a str,
    parent: Option<MachineId>,
    status: Status,
    state: &'a str,
    attempts: u32,
    error: Option<&'a str>,
    /// The locals of the state.
    values: Value,
    outcome: Option<Value>,
    seq: u64,
    fence: u64,
    lease: Option<Timestamp>,
    wake: Option<Timestamp>,
    signals: &'a [String],
    created: Timestamp,
    changed: Timestamp,
}

/// Writes the row for operators, with the locals of its state as `values`. A
/// [`Secret`](crate::Secret) is not written.
impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shown = ShownRow {
            id: self.id,
            machine_type: &self.machine_type,
            key: &self.key,
            parent: self.parent,
            status: self.status,
            state: &self.state,
            attempts: self.attempts,
            error: self.error.as_deref(),
            values: self.values(),
            outcome: self.shown_outcome(),
            seq: self.seq,
            fence: self.fence,
            lease: self.lease,
            wake: self.wake,
            signals: &self.signals,
            created: self.created,
            changed: self.changed,
        };
        shown.serialize(serializer)
    }
}

impl Row {
    /// Returns the locals of the state, for operators. A [`Secret`](crate::Secret) is replaced by
    /// `(secret)`.
    #[must_use]
    pub fn values(&self) -> Value {
        match hidden_secrets(&self.snapshot) {
            Value::Object(mut states) if states.len() == 1 => {
                states.remove(&self.state).unwrap_or(Value::Object(states))
            }
            other => other,
        }
    }

    /// Returns the output of the machine, for operators. A [`Secret`](crate::Secret) is replaced by
    /// `(secret)`.
    #[must_use]
    pub fn shown_outcome(&self) -> Option<Value> {
        self.outcome.as_deref().map(hidden_secrets)
    }
}
