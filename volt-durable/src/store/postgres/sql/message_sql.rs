//! Messages to machines.

use postgres::Error;

use crate::store::message::{Message, Sent};
use crate::store::postgres::columns::status;
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::{Query, Session};
use crate::store::row::Status;

const LOCK: &str = "
    select id, status, $3 = any(signals) from durable_machine
    where type = $1 and key = $2 for update";

const INSERT: &str = "
    insert into durable_message (machine, name, id, body) values ($1, $2, $3, $4::text::json)
    on conflict (machine, id) do nothing returning nr";

const WAKE: &str = concat!(
    "update durable_machine set due = least(due, changed) where id = $1 returning ",
    notify!()
);

pub(in crate::store::postgres) fn send(
    session: &mut Session,
    message: &Message,
) -> Result<Sent, Error> {
    session.transaction(|session| {
        let address = [&message.machine_type, &message.key];
        let rows = session.query(LOCK, &[address[0], address[1], &message.name])?;
        let Some(row) = rows.first() else {
            return Ok(Sent::NoMachine);
        };
        let (id, status, has_signal): (i64, _, bool) = (row.get(0), status(row.get(1)), row.get(2));
        if status.is_final() {
            return Ok(Sent::Ended);
        }
        let values: [&(dyn postgres::types::ToSql + Sync); 4] =
            [&id, &message.name, &message.id, &message.body];
        if session.query(INSERT, &values)?.is_empty() {
            return Ok(Sent::Duplicate);
        }
        if status == Status::Waiting && has_signal {
            session.query(WAKE, &[&id])?;
        }
        Ok(Sent::Stored)
    })
}
