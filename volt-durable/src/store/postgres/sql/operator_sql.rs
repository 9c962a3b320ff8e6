//! The operations of operators.

use postgres::{Error, Row as SqlRow};

use crate::machine_id::MachineId;
use crate::store::postgres::columns::{counter, now, status};
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::{Query, Session};
use crate::store::row::{Filter, Row, Status};
use crate::store::timestamp::Timestamp;

const LIST: &str = "
    select id, type, key, status, state, snapshot::text as snapshot, seq, fence, lease, wake,
        signals, attempts, error, outcome::text as outcome, created, changed
    from durable_machine
    where ($1::text is null or type = $1) and ($2::text is null or key = $2)
        and ($3::smallint is null or status = $3) and ($4::text is null or state = $4)
        and ($5::bigint is null or id > $5)
    order by id limit $6";

const RETRY: &str = concat!(
    "update durable_machine set status = 0, attempts = 0, due = ",
    now!(),
    ", changed = ",
    now!(),
    " where id = $1 and status = 2 returning id, ",
    notify!()
);

const CANCEL: &str = concat!(
    "update durable_machine set status = 4, fence = fence + 1, lease = null, wake = null,
        signals = '{}', due = null, changed = ",
    now!(),
    " where id = $1 and status < 3 returning id, ",
    notify!()
);

pub(in crate::store::postgres) fn list(
    session: &mut Session,
    filter: &Filter,
) -> Result<Vec<Row>, Error> {
    let rows = session.query(
        LIST,
        &[
            &filter.machine_type,
            &filter.key,
            &filter.status.map(Status::number),
            &filter.state,
            &filter.after.map(|id| id.0),
            &i64::try_from(filter.limit).unwrap_or(i64::MAX),
        ],
    )?;
    Ok(rows.iter().map(row).collect())
}

fn row(row: &SqlRow) -> Row {
    let time = |column| {
        let millis: Option<i64> = row.get(column);
        millis.map(Timestamp::from_millis)
    };
    let attempts: i32 = row.get("attempts");
    Row {
        id: MachineId(row.get("id")),
        machine_type: row.get("type"),
        key: row.get("key"),
        status: status(row.get("status")),
        state: row.get("state"),
        snapshot: row.get("snapshot"),
        seq: counter(row.get("seq")),
        fence: counter(row.get("fence")),
        lease: time("lease"),
        wake: time("wake"),
        signals: row.get("signals"),
        attempts: attempts.unsigned_abs(),
        error: row.get("error"),
        outcome: row.get("outcome"),
        created: Timestamp::from_millis(row.get("created")),
        changed: Timestamp::from_millis(row.get("changed")),
    }
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
    Ok(!session.query(CANCEL, &[&id.0])?.is_empty())
}
