//! Claims, renewals and releases in SQLite.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::family_queries::{drop_children, report};
use super::sqlite_columns::known_pairs;
use crate::machine_id::MachineId;
use crate::store::claim::{Claim, ClaimToken, Claimed, Delivered, KnownType};
use crate::store::family::ChildReport;
use crate::store::row::Status;
use crate::store::save::{Lost, without_report};
use crate::store::timestamp::Timestamp;

/// Selects machines without a lease that are in one state of one type and can be claimed.
///
/// SQLite uses the index of these machines only if its condition is written here too. A machine
/// that is parked or has ended has no time.
///
/// A runnable machine can be claimed even if its time is later than now, because the clock may have
/// been moved back.
const SELECT_OPEN: &str = "
    select * from (
        select ready, id, attempts from durable_machine
        where lease is null and ready is not null and type = ?1 and state = ?2 and status = 0
        order by ready, id limit ?3
    )
    union all
    select * from (
        select ready, id, attempts from durable_machine
        where lease is null and ready is not null and type = ?1 and state = ?2 and status = 1
            and ready <= ?4
        order by ready, id limit ?3
    )";

/// Selects machines with an expired lease, except suspects. The operators `+` prevent a search by
/// the index of keys, which has all machines of a type.
const SELECT_EXPIRED: &str = "
    select lease, id, attempts from durable_machine
    where lease is not null and lease <= ?2 and (attempts < ?4 or attempts >= ?5)
        and (+type, +state) in (select value ->> 0, value ->> 1 from json_each(?1))
    order by lease, id limit ?3";

/// Selects machines that may have ended the processes of their last workers.
const SELECT_SUSPECTS: &str = "
    select lease, id, attempts from durable_machine
    where lease is not null and lease <= ?2 and attempts >= ?4 and attempts < ?5
        and (+type, +state) in (select value ->> 0, value ->> 1 from json_each(?1))
    order by lease, id limit ?3";

const CLAIM: &str = "
    update durable_machine
    set fence = fence + 1, attempts = attempts + 1, lease = ?2, status = 0, ready = ?3,
        signals = '[]', changed = ?3
    where id = ?1
    returning fence, type, key, state, snapshot, next_step, seq, attempts, parent";

const PARK: &str = concat!(
    "update durable_machine
    set status = 2, lease = null, ready = null, signals = '[]', changed = ?2,
        error = coalesce(error, attempts || '",
    without_report!(),
    "')
    where id = ?1
    returning key, error"
);

const SELECT_MESSAGES: &str = "
    select nr, name, body from durable_message
    where machine = ?1 and body is not null order by nr";

/// Claims machines.
pub(super) fn claim(
    connection: &Connection,
    claim: &Claim,
    now: Timestamp,
) -> rusqlite::Result<Vec<Claimed>> {
    let suspects = claim.suspects.min(claim.limit);
    let mut claimed = Vec::new();
    for (_, id, _) in select_leased(connection, SELECT_SUSPECTS, claim, now, suspects)? {
        claimed.push(claim_one(connection, id, now, claim.lease)?);
    }
    while claimed.len() < claim.limit {
        let ready = select_ready(connection, claim, now, claim.limit - claimed.len())?;
        if ready.is_empty() {
            break;
        }
        for (_, id, attempts) in ready {
            if attempts >= claim.max_attempts {
                park(connection, id, now)?;
            } else {
                claimed.push(claim_one(connection, id, now, claim.lease)?);
            }
        }
    }
    Ok(claimed)
}

/// Parks a machine with too many attempts.
fn park(connection: &Connection, id: MachineId, now: Timestamp) -> rusqlite::Result<()> {
    let mut park = connection.prepare_cached(PARK)?;
    let (key, error): (String, String) = park.query_row(params![id, now], |row| {
        Ok((row.get("key")?, row.get("error")?))
    })?;
    report(connection, id, &ChildReport::parked(&key, &error), now)
}

/// A machine that can be claimed: the time since which it can be, its id, and its attempts.
type Ready = (Timestamp, MachineId, u32);

fn read_ready(row: &Row<'_>) -> rusqlite::Result<Ready> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

/// Selects the machines that could be claimed first, except suspects.
fn select_ready(
    connection: &Connection,
    claim: &Claim,
    now: Timestamp,
    limit: usize,
) -> rusqlite::Result<Vec<Ready>> {
    let mut ready = select_leased(connection, SELECT_EXPIRED, claim, now, limit)?;
    let mut select = connection.prepare_cached(SELECT_OPEN)?;
    for (name, state) in pairs(&claim.known) {
        let values = params![name, state, column(limit), now];
        for open in select.query_map(values, read_ready)? {
            ready.push(open?);
        }
    }
    ready.sort_unstable();
    ready.truncate(limit);
    Ok(ready)
}

/// Selects machines with an expired lease.
fn select_leased(
    connection: &Connection,
    sql: &str,
    claim: &Claim,
    now: Timestamp,
    limit: usize,
) -> rusqlite::Result<Vec<Ready>> {
    let known = known_pairs(&claim.known)?;
    let suspect = claim.suspect_attempts();
    let values = params![known, now, column(limit), suspect, claim.max_attempts];
    let mut select = connection.prepare_cached(sql)?;
    select.query_map(values, read_ready)?.collect()
}

fn column(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Returns each pair of a type and one of its states.
fn pairs(known: &[KnownType]) -> impl Iterator<Item = (&str, &str)> {
    known.iter().flat_map(|known| {
        let states = known.states.iter();
        states.map(|state| (known.name.as_str(), state.as_str()))
    })
}

fn claim_one(
    connection: &Connection,
    id: MachineId,
    now: Timestamp,
    lease: Duration,
) -> rusqlite::Result<Claimed> {
    let messages = select_messages(connection, id)?;
    let mut update = connection.prepare_cached(CLAIM)?;
    update.query_row(params![id, now.after(lease), now], |row| {
        Ok(Claimed {
            held: ClaimToken {
                id,
                fence: row.get("fence")?,
            },
            machine_type: row.get("type")?,
            key: row.get("key")?,
            state: row.get("state")?,
            snapshot: row.get("snapshot")?,
            next_step: row.get("next_step")?,
            seq: row.get("seq")?,
            attempts: row.get("attempts")?,
            now,
            parent: row.get("parent")?,
            messages,
            unreadable: None,
        })
    })
}

fn select_messages(connection: &Connection, id: MachineId) -> rusqlite::Result<Vec<Delivered>> {
    let mut select = connection.prepare_cached(SELECT_MESSAGES)?;
    let messages = select.query_map([id], |row| {
        Ok(Delivered {
            nr: row.get(0)?,
            name: row.get(1)?,
            body: row.get(2)?,
        })
    })?;
    messages.collect()
}

/// Sets the leases of claims.
pub(super) fn renew(
    connection: &Connection,
    held: &[ClaimToken],
    expires: Timestamp,
) -> rusqlite::Result<Vec<Lost>> {
    let mut update = connection.prepare_cached(
        "update durable_machine set lease = ?3
        where id = ?1 and fence = ?2 and lease is not null",
    )?;
    let mut lost = Vec::new();
    for held in held {
        if update.execute(params![held.id, held.fence, expires])? == 0 {
            lost.push(Lost { id: held.id });
        }
    }
    Ok(lost)
}

/// Ends claims, and does not count their attempts.
pub(super) fn release(
    connection: &Connection,
    held: &[ClaimToken],
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut update = connection.prepare_cached(
        "update durable_machine
        set lease = null, attempts = max(attempts - 1, 0), ready = ?3, changed = ?3
        where id = ?1 and fence = ?2 and lease is not null",
    )?;
    for held in held {
        update.execute(params![held.id, held.fence, now])?;
    }
    Ok(())
}

const NEXT_LEASE: &str = "
    select lease from durable_machine
    where lease is not null
        and (+type, +state) in (select value ->> 0, value ->> 1 from json_each(?1))
    order by lease limit 1";

const NEXT_OPEN: &str = "
    select min(ready) from (
        select * from (
            select 0 as ready from durable_machine
            where lease is null and ready is not null and type = ?1 and state = ?2 and status = 0
            limit 1
        )
        union all
        select * from (
            select ready from durable_machine
            where lease is null and ready is not null and type = ?1 and state = ?2 and status = 1
            order by ready limit 1
        )
    )";

/// Returns the time until a machine can be claimed.
pub(super) fn next_wake(
    connection: &Connection,
    known: &[KnownType],
    now: Timestamp,
) -> rusqlite::Result<Option<Duration>> {
    let mut lease = connection.prepare_cached(NEXT_LEASE)?;
    let lease = lease.query_row([known_pairs(known)?], |row| row.get(0));
    let mut next: Vec<Timestamp> = lease.optional()?.into_iter().collect();
    let mut select = connection.prepare_cached(NEXT_OPEN)?;
    for pair in pairs(known) {
        let open: Option<Timestamp> = select.query_row(pair, |row| row.get(0))?;
        next.extend(open);
    }
    Ok(next.into_iter().min().map(|next| next.since(now)))
}

/// Makes a parked machine runnable.
pub(super) fn retry(
    connection: &Connection,
    id: MachineId,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let mut update = connection.prepare_cached(
        "update durable_machine set status = ?2, attempts = 0, ready = ?3, changed = ?3
        where id = ?1 and (status = ?4 or status = ?5 and error is not null)",
    )?;
    let changed = update.execute(params![
        id,
        Status::Runnable,
        now,
        Status::Parked,
        Status::Waiting,
    ])?;
    Ok(changed > 0)
}

/// Cancels a machine that has not ended.
pub(super) fn cancel(
    connection: &Connection,
    id: MachineId,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let mut update = connection.prepare_cached(
        "update durable_machine
        set status = ?2, fence = fence + 1, lease = null, ready = null, signals = '[]',
            changed = ?3
        where id = ?1 and status not in (?2, ?4) returning key",
    )?;
    let values = params![id, Status::Cancelled, now, Status::Done];
    let key: Option<String> = update.query_row(values, |row| row.get(0)).optional()?;
    if let Some(key) = &key {
        report(connection, id, &ChildReport::cancelled(key), now)?;
        drop_children(connection, id, now)?;
    }
    Ok(key.is_some())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rusqlite::Connection;

    use super::super::message_queries::start;
    use super::super::sqlite_schema::prepare;
    use super::{NEXT_LEASE, NEXT_OPEN, SELECT_EXPIRED, SELECT_OPEN, SELECT_SUSPECTS, claim};
    use crate::store::claim::{Claim, KnownType};
    use crate::store::new_machine::NewMachine;
    use crate::store::timestamp::Timestamp;

    #[test]
    fn machine_runs_after_the_clock_moved_back() {
        let mut connection = Connection::open_in_memory().expect("a database");
        prepare(&mut connection).expect("tables");
        let new = NewMachine {
            machine_type: "Order".into(),
            key: "a".into(),
            state: "start".into(),
            snapshot: "{}".into(),
        };
        let known = KnownType {
            name: "Order".into(),
            states: vec!["start".into()],
        };
        let request = Claim {
            known: vec![known],
            limit: 1,
            lease: Duration::from_secs(1),
            max_attempts: 1,
            suspects: 1,
        };
        let hour = Timestamp::from_millis(3_600_000);
        start(&connection, &new, hour).expect("a machine");
        let claimed = claim(&connection, &request, Timestamp::default());
        assert_eq!(claimed.map(|claimed| claimed.len()), Ok(1));
    }

    /// A claim that read ended machines, or those in states of other builds, would take longer with
    /// each of them.
    #[test]
    fn claims_use_the_indexes_of_living_machines() {
        let mut connection = Connection::open_in_memory().expect("a database");
        prepare(&mut connection).expect("tables");
        let leased = "durable_machine_leased (lease";
        let open = "durable_machine_open (type=? AND state=? AND status=?";
        for (sql, index, searches) in [
            (SELECT_EXPIRED, leased, 1),
            (SELECT_SUSPECTS, leased, 1),
            (SELECT_OPEN, open, 2),
            (NEXT_LEASE, "durable_machine_leased", 1),
            (NEXT_OPEN, open, 2),
        ] {
            let plan = connection.prepare(&format!("explain query plan {sql}"));
            let mut plan = plan.expect("a plan");
            let mut rows = plan.raw_query();
            let mut found = 0;
            while let Some(row) = rows.next().expect("a part of the plan") {
                let part: String = row.get("detail").expect("a text");
                if part.contains("durable_machine") {
                    assert!(part.contains(index), "{part}");
                    found += 1;
                }
            }
            assert_eq!(found, searches, "{sql}");
        }
    }
}
