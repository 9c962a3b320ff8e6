//! Starts of machines.

use postgres::Error;

use crate::machine_id::MachineId;
use crate::store::new_machine::{NewMachine, Started};
use crate::store::postgres::columns::now;
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::{Query, Session};

const INSERT: &str = concat!(
    "insert into durable_machine (type, key, status, state, snapshot, due, created, changed)
    values ($1, $2, 0, $3, $4::text::json, ",
    now!(),
    ", ",
    now!(),
    ", ",
    now!(),
    ") on conflict (type, key) do nothing returning id, ",
    notify!()
);

/// After a conflict, the transaction of the other start has ended.
const SELECT: &str = "select id from durable_machine where type = $1 and key = $2";

pub(in crate::store::postgres) fn start(
    session: &mut Session,
    new: &NewMachine,
) -> Result<Started, Error> {
    let NewMachine {
        machine_type,
        key,
        state,
        snapshot,
    } = new;
    loop {
        let inserted = session.query(INSERT, &[machine_type, key, state, snapshot])?;
        let is_new = !inserted.is_empty();
        let rows = if is_new {
            inserted
        } else {
            session.query(SELECT, &[machine_type, key])?
        };
        // An operator may have deleted the row between the two statements.
        if let Some(row) = rows.first() {
            return Ok(Started {
                id: MachineId(row.get(0)),
                is_new,
            });
        }
    }
}
