//! The operations of operators on one machine.

use postgres::Error;

use super::family_sql::{ChildEnd, drop_all, report};
use crate::machine_id::MachineId;
use crate::store::postgres::columns::now;
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::{Query, Session};

const RETRY: &str = concat!(
    "update durable_machine set status = 0, attempts = 0, wake = null, due = ",
    now!(),
    ", changed = ",
    now!(),
    " where id = $1 and (status = 2 or status = 1 and error is not null) returning id, ",
    notify!()
);

const CANCEL: &str = concat!(
    "update durable_machine set status = 4, fence = fence + 1, lease = null, wake = null,
        signals = '{}', due = null, changed = ",
    now!(),
    " where id = $1 and status < 3 returning id, ",
    notify!()
);

pub(in crate::store::postgres) fn retry(
    session: &mut Session,
    id: MachineId,
) -> Result<bool, Error> {
    Ok(!session.query(RETRY, &[&id.0])?.is_empty())
}

pub(in crate::store::postgres) fn cancel(
    session: &mut Session,
    id: MachineId,
) -> Result<bool, Error> {
    session.transaction(|session| {
        let is_cancelled = !session.query(CANCEL, &[&id.0])?.is_empty();
        if is_cancelled {
            report(session, &[(id.0, ChildEnd::Cancelled)])?;
            drop_all(session, id.0)?;
        }
        Ok(is_cancelled)
    })
}
