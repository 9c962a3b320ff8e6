//! The conversions between columns and the values of the trait.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::machine_id::MachineId;
use crate::store::claim::KnownType;
use crate::store::row::{Row, Status};
use crate::store::timestamp::Timestamp;

impl ToSql for MachineId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

impl FromSql for MachineId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_millis().into())
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self::from_millis)
    }
}

impl ToSql for Status {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.number().into())
    }
}

impl FromSql for Status {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = i64::column_result(value)?;
        Self::of_number(number).ok_or(FromSqlError::OutOfRange(number))
    }
}

/// A list of texts, as JSON.
pub(super) struct Texts(pub(super) Vec<String>);

impl ToSql for Texts {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0);
        let text = text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(text.into())
    }
}

impl FromSql for Texts {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let texts = serde_json::from_str(value.as_str()?);
        texts.map(Self).map_err(FromSqlError::other)
    }
}

/// Returns the pairs of type and state that a worker knows, as a JSON array for `json_each`.
pub(super) fn known_pairs(known: &[KnownType]) -> rusqlite::Result<String> {
    let pairs = known.iter().flat_map(|known| {
        let states = known.states.iter();
        states.map(|state| (known.name.as_str(), state.as_str()))
    });
    let pairs: Vec<_> = pairs.collect();
    let text = serde_json::to_string(&pairs);
    text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// The columns that [`read_row`] reads.
pub(super) const ROW_COLUMNS: &str = "id, type, key, parent, status, state, snapshot, seq, fence, \
    lease, ready, signals, attempts, error, outcome, created, changed";

/// Reads the columns of [`ROW_COLUMNS`].
pub(super) fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let status: Status = row.get("status")?;
    let ready: Option<Timestamp> = row.get("ready")?;
    let Texts(signals) = row.get("signals")?;
    Ok(Row {
        id: row.get("id")?,
        machine_type: row.get("type")?,
        key: row.get("key")?,
        parent: row.get("parent")?,
        status,
        state: row.get("state")?,
        snapshot: row.get("snapshot")?,
        seq: row.get("seq")?,
        fence: row.get("fence")?,
        lease: row.get("lease")?,
        wake: ready.filter(|_| status == Status::Waiting),
        signals,
        attempts: row.get("attempts")?,
        error: row.get("error")?,
        outcome: row.get("outcome")?,
        created: row.get("created")?,
        changed: row.get("changed")?,
    })
}
