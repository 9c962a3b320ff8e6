//! Parents and children in SQLite.

use rusqlite::{Connection, OptionalExtension, params};

use super::message_queries::send_to;
use crate::machine_id::MachineId;
use crate::store::family::{CANCEL, ChildReport, NewChild};
use crate::store::save::{Continuation, Save};
use crate::store::timestamp::Timestamp;

/// Starts and drops the children of a stored save, and reports the end to the parent.
pub(super) fn change_family(
    connection: &Connection,
    save: &Save,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let id = save.held.id;
    for child in &save.family.started {
        start_child(connection, id, child, now)?;
    }
    for key in &save.family.dropped {
        drop_child(connection, id, key, now)?;
    }
    match &save.then {
        Continuation::Ends { outcome } if save.family.parent.is_some() => {
            report_outcome(connection, id, outcome, now)
        }
        _ => Ok(()),
    }
}

fn start_child(
    connection: &Connection,
    parent: MachineId,
    child: &NewChild,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(
        "insert into durable_machine
            (type, key, state, snapshot, parent, detached, ready, created, changed)
        values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?7)
        on conflict (type, key) do nothing",
    )?;
    let new = &child.machine;
    insert.execute(params![
        new.machine_type,
        new.key,
        new.state,
        new.snapshot,
        parent,
        child.is_detached,
        now,
    ])?;
    Ok(())
}

fn drop_child(
    connection: &Connection,
    parent: MachineId,
    key: &str,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut select = connection
        .prepare_cached("select id from durable_machine where parent = ?1 and key = ?2")?;
    let child = select.query_row(params![parent, key], |row| row.get(0));
    match child.optional()? {
        Some(child) => drop_one(connection, child, now),
        None => Ok(()),
    }
}

/// Drops all children of a machine.
pub(super) fn drop_children(
    connection: &Connection,
    parent: MachineId,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut select =
        connection.prepare_cached("select id from durable_machine where parent = ?1")?;
    let children = select.query_map([parent], |row| row.get(0))?;
    let children: Vec<MachineId> = children.collect::<rusqlite::Result<_>>()?;
    let mut children = children.into_iter();
    children.try_for_each(|child| drop_one(connection, child, now))
}

/// Ends the relation of a child to its parent, and requests its cancellation unless it is detached
/// or has ended.
fn drop_one(connection: &Connection, child: MachineId, now: Timestamp) -> rusqlite::Result<()> {
    let mut update = connection.prepare_cached(
        "update durable_machine set parent = null where id = ?1
        returning status < 3 and not detached",
    )?;
    let is_cancelled: bool = update.query_row([child], |row| row.get(0))?;
    if is_cancelled {
        send_to(connection, child, (CANCEL, CANCEL, "null"), now)?;
    }
    Ok(())
}

fn report_outcome(
    connection: &Connection,
    id: MachineId,
    outcome: &str,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut select = connection.prepare_cached("select key from durable_machine where id = ?1")?;
    let key: String = select.query_row([id], |row| row.get(0))?;
    report(connection, id, &ChildReport::done(&key, outcome), now)
}

/// Sends a report of a machine to its parent, if it has one that has not ended.
pub(super) fn report(
    connection: &Connection,
    id: MachineId,
    report: &ChildReport,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut select = connection.prepare_cached(
        "select parent.id from durable_machine as child
        join durable_machine as parent on parent.id = child.parent
        where child.id = ?1 and parent.status < 3",
    )?;
    let parent: Option<MachineId> = select.query_row([id], |row| row.get(0)).optional()?;
    if let Some(parent) = parent {
        let message = (
            report.name.as_str(),
            report.name.as_str(),
            report.body.as_str(),
        );
        send_to(connection, parent, message, now)?;
    }
    Ok(())
}
