//! Claims: their begin, renewal and release, and the time of the next one.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use postgres::{Error, Row};

use super::family_sql::{ChildEnd, report};
use crate::machine_id::MachineId;
use crate::store::claim::{Claim, ClaimToken, Claimed, Delivered, KnownType};
use crate::store::postgres::columns::{column, counter, millis, now};
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::{Query, Session};
use crate::store::save::{Lost, without_report};
use crate::store::timestamp::Timestamp;

/// Selects machines that could run at their last change, which is in the future because the clock
/// was moved back.
macro_rules! late {
    () => {
        concat!("ready and due > ", now!())
    };
}

/// Selects machines whose type and state the worker knows, among those with a lease, and among late
/// ones.
///
/// The server must test this for each row in the order of `due`, and stop at the limit. As a plain
/// `in`, it could read all machines of a type first; `is true` prevents that.
macro_rules! known {
    () => {
        "((type, state) in (select * from unnest($1::text[], $2::text[]))) is true"
    };
}

/// Selects the earliest machines with an expired lease. The search for many attempts is limited to
/// them, so that a claim after a crash does not read all machines of the crashed worker.
macro_rules! expired {
    () => {
        concat!(
            "select id, attempts from durable_machine
            where due <= ",
            now!(),
            " and lease is not null and ",
            known!(),
            " order by due, id limit 100"
        )
    };
}

/// Selects the earliest machines without a lease. The index has them by type and state, and is read
/// once for each pair that the worker knows. So machines in other states are not read.
macro_rules! open {
    ($condition:literal, $limit:literal) => {
        concat!(
            "select machine.* from unnest($1::text[], $2::text[]) as known (type, state)
            cross join lateral (
                select id, due, queue, attempts from durable_machine
                where type = known.type and queue = known.state and due <= ",
            now!(),
            $condition,
            " order by due, id limit ",
            $limit,
            ") as machine order by due, id limit ",
            $limit
        )
    };
}

/// Selects the ids of machines with too many attempts. They are searched among the earliest only,
/// so that a claim does not read all machines that can run.
macro_rules! exhausted {
    () => {
        concat!(
            "select id from (",
            expired!(),
            ") as expired where attempts >= $3
            union
            select id from (",
            open!("", "100"),
            ") as open where attempts >= $3"
        )
    };
}

/// Parks machines with too many attempts and without a parent. Returns `true` if there are some
/// with a parent.
const PARK: &str = concat!(
    "with exhausted as materialized (",
    exhausted!(),
    "), parked as (
        update durable_machine set status = 2, lease = null, wake = null, signals = '{}', due = null,
            error = coalesce(error, attempts || '",
    without_report!(),
    "'), changed = ",
    now!(),
    " where id in (
            select id from durable_machine
            where id in (select id from exhausted) and due <= ",
    now!(),
    " and attempts >= $3 and parent is null
            for update skip locked
        )
    )
    select exists(
        select from durable_machine
        where id in (select id from exhausted) and parent is not null
    )"
);

/// Parks children with too many attempts.
const PARK_CHILDREN: &str = concat!(
    "update durable_machine set status = 2, lease = null, wake = null, signals = '{}', due = null,
        error = coalesce(error, attempts || '",
    without_report!(),
    "'), changed = ",
    now!(),
    " where id in (
        select id from durable_machine
        where id in (",
    exhausted!(),
    ") and due <= ",
    now!(),
    " and attempts >= $3 and parent is not null
        for update skip locked
    ) returning id, error"
);

/// Claims machines. The machines of `suspect` may have ended the processes of their last workers.
/// The machines of `lost` have another expired lease.
///
/// `open` has a hundred machines more than the limit, because other workers may have locked some.
/// `free` locks them one after the other up to the limit, and repeats the conditions.
const CLAIM: &str = concat!(
    "with expired as materialized (",
    expired!(),
    "), suspect as (
        select id, due, 0 as rank from durable_machine
        where id in (select id from expired where attempts >= $6) and due <= ",
    now!(),
    " and lease is not null and attempts >= $6 and attempts < $3
        order by due, id limit $7 for update skip locked
    ), lost as (
        select id, due, 1 as rank from durable_machine
        where due <= ",
    now!(),
    " and lease is not null and attempts < least($3, $6) and ",
    known!(),
    " order by due, id limit $4 for update skip locked
    ), open as materialized (",
    open!(" and attempts < $3", "$4 + 100"),
    "), free as (
        select machine.* from open
        cross join lateral (
            select id, due, 1 as rank from durable_machine
            where id = open.id and due <= ",
    now!(),
    " and attempts < $3 and queue = open.queue for update skip locked
        ) as machine
        limit $4
    ), late as (
        select id, due, 2 as rank from durable_machine
        where ",
    late!(),
    " and attempts < $3 and ",
    known!(),
    " order by due, id limit $4 for update skip locked
    ), ready as (
        select * from suspect union all select * from lost
        union all select * from free union all select * from late
        order by rank, due, id limit $4
    ), claimed as (
        update durable_machine as machine
        set fence = fence + 1, attempts = attempts + 1, status = 0, wake = null, signals = '{}',
            lease = ",
    now!(),
    " + $5, due = ",
    now!(),
    " + $5, changed = ",
    now!(),
    " from ready where machine.id = ready.id
        returning machine.id, fence, type, key, state, snapshot::text as snapshot, next_step, seq,
            attempts, changed, parent, ready.due as since
    )
    select * from claimed order by since, id"
);

const MESSAGES: &str = "
    select machine, nr, name, body::text from durable_message
    where machine = any($1) and not taken order by nr";

const RENEW: &str = concat!(
    "update durable_machine as machine set lease = ",
    now!(),
    " + $3, due = ",
    now!(),
    " + $3 from unnest($1::bigint[], $2::bigint[]) as held (id, fence)
    where machine.id = held.id and machine.fence = held.fence and lease is not null
    returning machine.id"
);

const RELEASE: &str = concat!(
    "update durable_machine as machine
    set lease = null, attempts = greatest(attempts - 1, 0), due = ",
    now!(),
    ", changed = ",
    now!(),
    " from unnest($1::bigint[], $2::bigint[]) as held (id, fence)
    where machine.id = held.id and machine.fence = held.fence and lease is not null returning ",
    notify!()
);

const NEXT: &str = concat!(
    "(select due - ",
    now!(),
    " as wait from durable_machine
    where lease is not null and ",
    known!(),
    " order by due limit 1)
    union all (select machine.due - ",
    now!(),
    " from unnest($1::text[], $2::text[]) as known (type, state)
    cross join lateral (
        select due from durable_machine
        where type = known.type and queue = known.state order by due limit 1
    ) as machine order by machine.due limit 1)
    union all (select 0 from durable_machine
    where ",
    late!(),
    " and ",
    known!(),
    " order by due, id limit 1)
    order by wait"
);

pub(in crate::store::postgres) fn claim(
    session: &mut Session,
    claim: &Claim,
) -> Result<Vec<Claimed>, Error> {
    let (types, states) = pairs(&claim.known);
    let max_attempts = i32::try_from(claim.max_attempts).unwrap_or(i32::MAX);
    let limit = i64::try_from(claim.limit).unwrap_or(i64::MAX);
    let parked = session.query(PARK, &[&types, &states, &max_attempts])?;
    if parked[0].get(0) {
        session.transaction(|session| park_children(session, &types, &states, max_attempts))?;
    }
    let lease = millis(claim.lease);
    let suspect_attempts = i32::try_from(claim.suspect_attempts()).unwrap_or(i32::MAX);
    let suspects = i64::try_from(claim.suspects.min(claim.limit)).unwrap_or(i64::MAX);
    let rows = session.query(
        CLAIM,
        &[
            &types,
            &states,
            &max_attempts,
            &limit,
            &lease,
            &suspect_attempts,
            &suspects,
        ],
    )?;
    let ids: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    let mut messages: HashMap<i64, Vec<Delivered>> = HashMap::new();
    if !ids.is_empty() {
        for row in session.query(MESSAGES, &[&ids])? {
            messages.entry(row.get(0)).or_default().push(Delivered {
                nr: row.get(1),
                name: row.get(2),
                body: row.get(3),
            });
        }
    }
    let claimed = |row: &Row| claimed(row, messages.remove(&row.get(0)).unwrap_or_default());
    Ok(rows.iter().map(claimed).collect())
}

/// Returns the types and the states of all pairs of a type with one of its states.
fn pairs(known: &[KnownType]) -> (Vec<&str>, Vec<&str>) {
    let each = known.iter().flat_map(|known| {
        let states = known.states.iter();
        states.map(|state| (known.name.as_str(), state.as_str()))
    });
    each.unzip()
}

/// Parks children, and reports that to their parents.
fn park_children(
    session: &mut Session,
    types: &[&str],
    states: &[&str],
    max_attempts: i32,
) -> Result<(), Error> {
    let parked = session.query(PARK_CHILDREN, &[&types, &states, &max_attempts])?;
    let ends = parked
        .iter()
        .map(|row| (row.get(0), ChildEnd::Parked(row.get(1))));
    report(session, &ends.collect::<Vec<_>>())
}

fn claimed(row: &Row, messages: Vec<Delivered>) -> Claimed {
    let attempts: i32 = row.get("attempts");
    Claimed {
        held: ClaimToken {
            id: MachineId(row.get("id")),
            fence: counter(row.get("fence")),
        },
        machine_type: row.get("type"),
        key: row.get("key"),
        state: row.get("state"),
        snapshot: row.get("snapshot"),
        next_step: counter(row.get("next_step")),
        seq: counter(row.get("seq")),
        attempts: attempts.unsigned_abs(),
        now: Timestamp::from_millis(row.get("changed")),
        parent: row.get::<_, Option<i64>>("parent").map(MachineId),
        messages,
        unreadable: None,
    }
}

pub(in crate::store::postgres) fn renew(
    session: &mut Session,
    held: &[ClaimToken],
    lease: Duration,
) -> Result<Vec<Lost>, Error> {
    let (ids, fences) = columns(held);
    let renewed = session.query(RENEW, &[&ids, &fences, &millis(lease)])?;
    Ok(lost(ids, &renewed))
}

pub(in crate::store::postgres) fn release(
    session: &mut Session,
    held: &[ClaimToken],
) -> Result<(), Error> {
    let (ids, fences) = columns(held);
    session.query(RELEASE, &[&ids, &fences])?;
    Ok(())
}

pub(in crate::store::postgres) fn next_wake(
    session: &mut Session,
    known: &[KnownType],
) -> Result<Option<Duration>, Error> {
    let (types, states) = pairs(known);
    let rows = session.query(NEXT, &[&types, &states])?;
    let left = |row: &Row| Duration::from_millis(row.get::<_, i64>(0).max(0).unsigned_abs());
    Ok(rows.first().map(left))
}

fn columns(held: &[ClaimToken]) -> (Vec<i64>, Vec<i64>) {
    let each = held.iter();
    each.map(|held| (held.id.0, column(held.fence))).unzip()
}

/// Returns the machines that are not among the rows that an operation has written.
pub(super) fn lost(ids: Vec<i64>, written: &[Row]) -> Vec<Lost> {
    let written: HashSet<i64> = written.iter().map(|row| row.get(0)).collect();
    let lost = ids.into_iter().filter(|id| !written.contains(id));
    lost.map(|id| Lost { id: MachineId(id) }).collect()
}
