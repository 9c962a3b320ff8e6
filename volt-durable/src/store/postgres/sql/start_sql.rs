//! Starts of machines.

use std::collections::HashMap;

use postgres::Error;

use crate::machine_id::MachineId;
use crate::store::new_machine::{NewMachine, Started};
use crate::store::postgres::columns::now;
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::Query;

/// Inserts machines. Of several with one type and key, the first is inserted.
const INSERT: &str = concat!(
    "with inserted as (
        insert into durable_machine (type, key, status, state, snapshot, due, created, changed)
        select type, key, 0, state, snapshot::json, ",
    now!(),
    ", ",
    now!(),
    ", ",
    now!(),
    " from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
            as input (type, key, state, snapshot, nr)
        order by nr
        on conflict (type, key) do nothing returning id, type, key
    )
    select id, type, key, ",
    notify!(),
    " from inserted"
);

/// After a conflict, the transaction of the other start has ended.
const SELECT: &str = "
    select id, machine.type, machine.key from durable_machine as machine
    join unnest($1::text[], $2::text[]) as input (type, key)
    on machine.type = input.type and machine.key = input.key";

/// The machines of a batch by type and key.
type Ids = HashMap<(String, String), MachineId>;

/// Starts machines, and returns the result of each.
pub(in crate::store::postgres) fn start(
    session: &mut impl Query,
    machines: &[&NewMachine],
) -> Result<Vec<Started>, Error> {
    let column = |text: fn(&NewMachine) -> &str| -> Vec<&str> {
        machines.iter().copied().map(text).collect()
    };
    let (types, keys) = (column(|new| &new.machine_type), column(|new| &new.key));
    let (states, snapshots) = (column(|new| &new.state), column(|new| &new.snapshot));
    loop {
        let inserted = session.query(INSERT, &[&types, &keys, &states, &snapshots])?;
        let mut new = ids(&inserted);
        let is_each_new = new.len() == machines.len();
        let all = if is_each_new {
            new.clone()
        } else {
            ids(&session.query(SELECT, &[&types, &keys])?)
        };
        let started = machines.iter().map(|machine| {
            let name = (machine.machine_type.clone(), machine.key.clone());
            let is_new = new.remove(&name).is_some();
            let id = *all.get(&name)?;
            Some(Started { id, is_new })
        });
        // An operator may have deleted a row between the two statements.
        if let Some(started) = started.collect() {
            return Ok(started);
        }
    }
}

fn ids(rows: &[postgres::Row]) -> Ids {
    let ids = rows.iter();
    ids.map(|row| ((row.get(1), row.get(2)), MachineId(row.get(0))))
        .collect()
}
