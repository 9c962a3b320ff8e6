//! Saves and failures in SQLite.

use rusqlite::{Connection, OptionalExtension, params};

use super::family_queries::{change_family, report};
use super::message_queries::wake_if_signalled;
use super::sqlite_columns::Texts;
use crate::store::family::ChildReport;
use crate::store::row::Status;
use crate::store::save::{AfterFailure, Continuation, Failure, Lost, Save};
use crate::store::timestamp::Timestamp;

/// Writes a snapshot, if the claim has not ended and the number is the next one.
const SAVE: &str = "
    update durable_machine
    set seq = ?3, next_step = ?4, state = ?5, snapshot = ?6, status = ?7, ready = ?8,
        signals = ?9, outcome = ?10, lease = iif(?11, lease, null), changed = ?12,
        attempts = 0, error = null
    where id = ?1 and fence = ?2 and lease is not null and seq = ?3 - 1";

/// Stores snapshots.
pub(super) fn save(
    connection: &Connection,
    saves: &[Save],
    now: Timestamp,
) -> rusqlite::Result<Vec<Lost>> {
    let mut lost = Vec::new();
    for save in saves {
        if !save_one(connection, save, now)? {
            lost.push(Lost { id: save.held.id });
        }
    }
    Ok(lost)
}

/// Stores a snapshot. Returns `false` if the claim has ended.
fn save_one(connection: &Connection, save: &Save, now: Timestamp) -> rusqlite::Result<bool> {
    let id = save.held.id;
    let mut signals = Texts(Vec::new());
    let (status, ready, outcome) = match &save.then {
        Continuation::Runs | Continuation::Yields => (Status::Runnable, Some(now), None),
        Continuation::Waits(wait) => {
            signals.0.clone_from(&wait.signals);
            (Status::Waiting, wait.wake, None)
        }
        Continuation::Ends { outcome } => (Status::Done, None, Some(outcome)),
    };
    let mut update = connection.prepare_cached(SAVE)?;
    let changed = update.execute(params![
        id,
        save.held.fence,
        save.seq,
        save.next_step,
        save.state,
        save.snapshot,
        status,
        ready,
        signals,
        outcome,
        matches!(save.then, Continuation::Runs),
        now,
    ])?;
    if changed == 0 {
        return Ok(false);
    }
    let mut take = connection
        .prepare_cached("update durable_message set body = null where nr = ?2 and machine = ?1")?;
    for nr in &save.taken {
        take.execute(params![id, nr])?;
    }
    if !signals.0.is_empty() {
        wake_if_signalled(connection, id, now)?;
    }
    change_family(connection, save, now)?;
    Ok(true)
}

/// Ends a claim with an error. Returns `false` if it has ended before.
pub(super) fn fail(
    connection: &Connection,
    failure: &Failure,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let (status, ready) = match failure.then {
        AfterFailure::Retry { after } => (Status::Waiting, Some(now.after(after))),
        AfterFailure::Park => (Status::Parked, None),
    };
    let mut update = connection.prepare_cached(
        "update durable_machine
        set lease = null, error = ?3, status = ?4, ready = ?5, changed = ?6
        where id = ?1 and fence = ?2 and lease is not null
        returning key",
    )?;
    let id = failure.held.id;
    let values = params![id, failure.held.fence, failure.error, status, ready, now,];
    let key: Option<String> = update.query_row(values, |row| row.get(0)).optional()?;
    if let (Some(key), AfterFailure::Park) = (&key, failure.then) {
        report(
            connection,
            id,
            &ChildReport::parked(key, &failure.error),
            now,
        )?;
    }
    Ok(key.is_some())
}
