//! The operations of operators on one machine.

use std::time::Duration;

use postgres::Error;

use super::family_sql::{ChildEnd, drop_all, report};
use crate::machine_id::MachineId;
use crate::store::postgres::columns::{millis, now};
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

const DELETE_ENDED: &str = concat!(
    "delete from durable_machine where id in (
        select id from durable_machine where ended <= ",
    now!(),
    " - $1 order by ended, id limit $2 for update skip locked
    ) returning id"
);

pub(in crate::store::postgres) fn delete_ended(
    session: &mut Session,
    age: Duration,
    limit: usize,
) -> Result<usize, Error> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(session.query(DELETE_ENDED, &[&millis(age), &limit])?.len())
}

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
