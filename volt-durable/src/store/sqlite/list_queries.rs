//! Lists and counts of rows in SQLite.

use std::time::Duration;

use rusqlite::{Connection, Params};

use super::sqlite_columns::{ROW_COLUMNS, read_row};
use crate::store::row::{Filter, Row};
use crate::store::summary::{Summary, SummaryGroup};
use crate::store::timestamp::Timestamp;

/// The time at which a worker that knows the type and the state can claim a machine, or null. The
/// seventh parameter is now, which a time of change exceeds if the clock was moved back.
macro_rules! ready_at {
    () => {
        "case status when 0 then coalesce(lease, min(ready, ?7)) when 1 then ready end"
    };
}

/// Returns the rows that a filter selects.
pub(super) fn list(
    connection: &Connection,
    filter: &Filter,
    now: Timestamp,
) -> rusqlite::Result<Vec<Row>> {
    let mut select = connection.prepare_cached(&format!(
        "select {ROW_COLUMNS} from durable_machine where {} order by id limit ?9",
        conditions(filter)
    ))?;
    let limit = i64::try_from(filter.limit).unwrap_or(i64::MAX);
    let rows = select.query_map(parameters(filter, now, limit), read_row)?;
    rows.collect()
}

/// Counts the rows that a filter selects.
pub(super) fn summary(
    connection: &Connection,
    filter: &Filter,
    now: Timestamp,
) -> rusqlite::Result<Summary> {
    let filter = Filter {
        after: None,
        ..filter.clone()
    };
    let mut select = connection.prepare_cached(&format!(
        "select type, status, state, count(*) as machines, min(changed) as oldest,
            sum(status = 2 or status = 1 and error is not null) as failed,
            count(*) filter (where {ready} <= ?7) as unclaimed,
            min({ready}) filter (where {ready} <= ?7) as unclaimed_since
        from durable_machine where {conditions}
        group by type, status, state order by type, status, state limit ?9",
        ready = ready_at!(),
        conditions = conditions(&filter)
    ))?;
    let groups = select.query_map(parameters(&filter, now, -1), |row| {
        Ok(SummaryGroup {
            machine_type: row.get("type")?,
            status: row.get("status")?,
            state: row.get("state")?,
            machines: row.get("machines")?,
            failed: row.get("failed")?,
            oldest: row.get("oldest")?,
            unclaimed: row.get("unclaimed")?,
            unclaimed_since: row.get("unclaimed_since")?,
        })
    })?;
    Ok(Summary {
        now,
        groups: groups.collect::<rusqlite::Result<_>>()?,
    })
}

/// Deletes machines that have ended, with their messages. Returns their number.
pub(super) fn delete_ended(
    connection: &Connection,
    age: Duration,
    limit: usize,
    now: Timestamp,
) -> rusqlite::Result<usize> {
    // An age before the first time of the clock selects no row.
    let Some(before) = millis(age).and_then(|age| now.as_millis().checked_sub(age)) else {
        return Ok(0);
    };
    let mut delete = connection.prepare_cached(
        "delete from durable_machine where id in (
            select id from durable_machine where status >= 3 and changed <= ?1
            order by changed, id limit ?2
        )",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    delete.execute([before, limit])
}

/// Returns a duration in milliseconds, rounded up.
fn millis(duration: Duration) -> Option<i64> {
    i64::try_from(duration.as_nanos().div_ceil(1_000_000)).ok()
}

/// Returns the conditions of the fields that are `Some`. A condition that also allows null would
/// read all rows instead of an index.
fn conditions(filter: &Filter) -> String {
    let conditions = [
        (filter.machine_type.is_some(), "type = ?1"),
        (filter.key.is_some(), "key = ?2"),
        (filter.status.is_some(), "status = ?3"),
        (filter.state.is_some(), "state = ?4"),
        (filter.after.is_some(), "id > ?5"),
        (filter.unchanged_for.is_some(), "changed <= ?6"),
        (
            filter.unclaimed_for.is_some(),
            concat!(ready_at!(), " <= ?8"),
        ),
    ];
    let given = conditions.iter().filter(|(is_given, _)| *is_given);
    given.fold("true".to_owned(), |text, (_, condition)| {
        format!("{text} and {condition}")
    })
}

/// Returns the values of a filter. A negative limit is none. Each statement has the last one, so it
/// has all of them.
fn parameters(filter: &Filter, now: Timestamp, limit: i64) -> impl Params {
    let before = |duration: Option<Duration>| duration.map(|duration| now.before(duration));
    let (machine_type, key) = (filter.machine_type.clone(), filter.key.clone());
    let (status, state) = (filter.status, filter.state.clone());
    let (changed, ready) = (before(filter.unchanged_for), before(filter.unclaimed_for));
    (
        machine_type,
        key,
        status,
        state,
        filter.after,
        changed,
        now,
        ready,
        limit,
    )
}
