//! Lists and counts of rows.

use postgres::{Error, Row as SqlRow};

use crate::machine_id::MachineId;
use crate::store::postgres::columns::{counter, millis, now, status};
use crate::store::postgres::session::{Query, Session};
use crate::store::row::{Filter, Row, Status};
use crate::store::summary::{Summary, SummaryGroup};
use crate::store::timestamp::Timestamp;

/// The time at which a worker that knows the type and the state can claim a machine, or null. A
/// time of change is later than now if the clock was moved back.
macro_rules! ready_at {
    () => {
        concat!("case when ready then least(due, ", now!(), ") else due end")
    };
}

/// The conditions of a filter, whose values are the first six parameters.
macro_rules! conditions {
    () => {
        concat!(
            "($1::text is null or type = $1) and ($2::text is null or key = $2)
            and ($3::smallint is null or status = $3) and ($4::text is null or state = $4)
            and ($5::bigint is null or changed <= ",
            now!(),
            " - $5) and ($6::bigint is null or ",
            ready_at!(),
            " <= ",
            now!(),
            " - $6)"
        )
    };
}

/// The columns of a row.
macro_rules! row_columns {
    () => {
        "id, type, key, parent, status, state, snapshot::text as snapshot, seq, fence, lease, wake,
        signals, attempts, error, outcome::text as outcome, created, changed"
    };
}

const LIST: &str = concat!(
    "select ",
    row_columns!(),
    " from durable_machine where ",
    conditions!(),
    " and id > $7 order by id limit $8"
);

/// Selects one machine. A plan for all values of [`LIST`] does not find it by the index of keys.
const LIST_ONE: &str = concat!(
    "select ",
    row_columns!(),
    " from durable_machine where type = $1 and key = $2 and ",
    conditions!(),
    " and id > $7 order by id limit $8"
);

const SUMMARY: &str = concat!(
    "select type, status, state, count(*) as machines, min(changed) as oldest,
        count(*) filter (where status = 2 or status = 1 and error is not null) as failed,
        count(*) filter (where ",
    ready_at!(),
    " <= ",
    now!(),
    ") as unclaimed,
        min(",
    ready_at!(),
    ") filter (where ",
    ready_at!(),
    " <= ",
    now!(),
    ") as unclaimed_since
    from durable_machine where ",
    conditions!(),
    " group by type, status, state order by type collate \"C\", status, state collate \"C\""
);

const NOW: &str = concat!("select ", now!());

pub(in crate::store::postgres) fn list(
    session: &mut Session,
    filter: &Filter,
) -> Result<Vec<Row>, Error> {
    let is_one = filter.machine_type.is_some() && filter.key.is_some();
    let rows = session.query(
        if is_one { LIST_ONE } else { LIST },
        &[
            &filter.machine_type,
            &filter.key,
            &filter.status.map(Status::number),
            &filter.state,
            &filter.unchanged_for.map(millis),
            &filter.unclaimed_for.map(millis),
            &filter.after.map_or(i64::MIN, |id| id.0),
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
        parent: row.get::<_, Option<i64>>("parent").map(MachineId),
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

pub(in crate::store::postgres) fn summary(
    session: &mut Session,
    filter: &Filter,
) -> Result<Summary, Error> {
    // Both statements have the time of the transaction.
    session.transaction(|session| {
        let groups = session.query(
            SUMMARY,
            &[
                &filter.machine_type,
                &filter.key,
                &filter.status.map(Status::number),
                &filter.state,
                &filter.unchanged_for.map(millis),
                &filter.unclaimed_for.map(millis),
            ],
        )?;
        Ok(Summary {
            now: now(session)?,
            groups: groups.iter().map(group).collect(),
        })
    })
}

fn group(row: &SqlRow) -> SummaryGroup {
    SummaryGroup {
        machine_type: row.get("type"),
        status: status(row.get("status")),
        state: row.get("state"),
        machines: counter(row.get("machines")),
        failed: counter(row.get("failed")),
        oldest: Timestamp::from_millis(row.get("oldest")),
        unclaimed: counter(row.get("unclaimed")),
        unclaimed_since: row
            .get::<_, Option<i64>>("unclaimed_since")
            .map(Timestamp::from_millis),
    }
}

pub(in crate::store::postgres) fn now(session: &mut Session) -> Result<Timestamp, Error> {
    let time = session.query(NOW, &[])?[0].get(0);
    Ok(Timestamp::from_millis(time))
}
