//! Starts and messages in SQLite.

use rusqlite::{Connection, OptionalExtension, params};

use crate::machine_id::MachineId;
use crate::store::message::{Message, Sent};
use crate::store::new_machine::{NewMachine, Started};
use crate::store::row::Status;
use crate::store::timestamp::Timestamp;

/// Creates a machine, unless one has its type and key.
pub(super) fn start(
    connection: &Connection,
    new: &NewMachine,
    now: Timestamp,
) -> rusqlite::Result<Started> {
    let NewMachine {
        machine_type,
        key,
        state,
        snapshot,
    } = new;
    let mut insert = connection.prepare_cached(
        "insert into durable_machine (type, key, state, snapshot, ready, created, changed)
        values (?1, ?2, ?3, ?4, ?5, ?5, ?5)
        on conflict (type, key) do nothing",
    )?;
    let inserted = insert.execute(params![machine_type, key, state, snapshot, now])?;
    let mut select =
        connection.prepare_cached("select id from durable_machine where type = ?1 and key = ?2")?;
    Ok(Started {
        id: select.query_row([machine_type, key], |row| row.get(0))?,
        is_new: inserted > 0,
    })
}

/// Stores a message for a machine.
pub(super) fn send(
    connection: &Connection,
    message: &Message,
    now: Timestamp,
) -> rusqlite::Result<Sent> {
    let mut select = connection
        .prepare_cached("select id, status from durable_machine where type = ?1 and key = ?2")?;
    let found = select.query_row([&message.machine_type, &message.key], |row| {
        Ok((row.get("id")?, row.get("status")?))
    });
    let Some((id, status)): Option<(MachineId, Status)> = found.optional()? else {
        return Ok(Sent::NoMachine);
    };
    if status.is_final() {
        return Ok(Sent::Ended);
    }
    let Message {
        name, id: nr, body, ..
    } = message;
    send_to(connection, id, (name, nr, body), now)
}

/// Stores a message, which is its name, its id and its body, for a machine that has not ended.
pub(super) fn send_to(
    connection: &Connection,
    machine: MachineId,
    (name, id, body): (&str, &str, &str),
    now: Timestamp,
) -> rusqlite::Result<Sent> {
    let mut insert = connection.prepare_cached(
        "insert into durable_message (machine, id, name, body) values (?1, ?2, ?3, ?4)
        on conflict (machine, id) do nothing",
    )?;
    if insert.execute(params![machine, id, name, body])? == 0 {
        return Ok(Sent::Duplicate);
    }
    wake_if_signalled(connection, machine, now)?;
    Ok(Sent::Stored)
}

/// Makes a machine runnable if it waits for a signal of which a message is stored.
pub(super) fn wake_if_signalled(
    connection: &Connection,
    id: MachineId,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut update = connection.prepare_cached(
        "update durable_machine set status = 0, ready = ?2
        where id = ?1 and status = 1 and exists (
            select 1 from durable_message
            where machine = ?1 and body is not null
                and name in (select value from json_each(signals))
        )",
    )?;
    update.execute(params![id, now])?;
    Ok(())
}
