//! Parents and children.

use postgres::{Error, Row};

use crate::machine_id::MachineId;
use crate::store::family::{CANCEL, ChildReport};
use crate::store::new_machine::NewMachine;
use crate::store::postgres::columns::now;
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::Query;
use crate::store::save::{Continuation, Lost, Save};

/// Makes machines claimable that wait for a signal of which a message is stored. The statement
/// follows the one that locked the rows, so it sees all messages that were stored before.
pub(super) const WAKE: &str = "
    update durable_machine as machine set due = changed
    where id = any($1) and status = 1 and exists (
        select from durable_message as message
        where message.machine = machine.id and not taken and name = any(machine.signals)
    )";

const START: &str = concat!(
    "insert into durable_machine
        (type, key, status, state, snapshot, parent, detached, due, created, changed)
    select type, key, 0, state, snapshot::json, parent, detached, ",
    now!(),
    ", ",
    now!(),
    ", ",
    now!(),
    " from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[])
        as input (parent, type, key, state, snapshot, detached)
    on conflict (type, key) do nothing returning ",
    notify!()
);

const DROP: &str = "
    update durable_machine as child set parent = null
    from unnest($1::bigint[], $2::text[]) as input (parent, key)
    where child.parent = input.parent and child.key = input.key
    returning child.id, child.status < 3 and not child.detached";

const DROP_ALL: &str = "
    update durable_machine set parent = null where parent = $1
    returning id, status < 3 and not detached";

/// Selects the parents that have not ended, and locks them.
const SELECT_PARENTS: &str = "
    select child.id, child.key, parent.id from durable_machine as child
    join durable_machine as parent on parent.id = child.parent
    where child.id = any($1) and parent.status < 3
    order by parent.id for update of parent";

const SEND: &str = concat!(
    "insert into durable_message (machine, name, id, body)
    select machine, name, name, body::json
    from unnest($1::bigint[], $2::text[], $3::text[]) as input (machine, name, body)
    on conflict (machine, id) do nothing returning ",
    notify!()
);

/// The end of a child, for its parent.
#[derive(Clone, Copy)]
pub(super) enum ChildEnd<'a> {
    /// The outcome, as JSON.
    Done(&'a str),
    Cancelled,
    /// The error.
    Parked(&'a str),
}

/// The children of saves, one vector for each column.
#[derive(Default)]
pub(super) struct FamilyColumns<'a> {
    saves: Vec<&'a Save>,
}

impl<'a> FamilyColumns<'a> {
    /// Adds a save, if it concerns a parent or a child.
    pub(super) fn push(&mut self, save: &'a Save) {
        let family = &save.family;
        let reports = family.parent.is_some() && matches!(save.then, Continuation::Ends { .. });
        if reports || !family.started.is_empty() || !family.dropped.is_empty() {
            self.saves.push(save);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.saves.is_empty()
    }

    /// Changes the families of the saves that are stored.
    pub(super) fn write(&self, session: &mut impl Query, lost: &[Lost]) -> Result<(), Error> {
        let is_stored = |id: MachineId| lost.iter().all(|lost| lost.id != id);
        let saves = self.saves.iter().filter(|save| is_stored(save.held.id));
        let saves: Vec<&Save> = saves.copied().collect();
        if saves.is_empty() {
            return Ok(());
        }
        start(session, &saves)?;
        drop_some(session, &saves)?;
        let ends = saves.iter().filter_map(|save| match &save.then {
            Continuation::Ends { outcome } => Some((save.held.id.0, ChildEnd::Done(outcome))),
            Continuation::Runs | Continuation::Yields | Continuation::Waits(_) => None,
        });
        report(session, &ends.collect::<Vec<_>>())
    }
}

fn start(session: &mut impl Query, saves: &[&Save]) -> Result<(), Error> {
    let children = saves.iter().flat_map(|save| {
        let started = save.family.started.iter();
        started.map(|child| (save.held.id.0, child))
    });
    let children: Vec<_> = children.collect();
    if children.is_empty() {
        return Ok(());
    }
    let texts = |text: fn(&NewMachine) -> &str| -> Vec<&str> {
        let machines = children.iter().map(|(_, child)| &child.machine);
        machines.map(text).collect()
    };
    let parents: Vec<i64> = children.iter().map(|(parent, _)| *parent).collect();
    let detached = children.iter().map(|(_, child)| child.is_detached);
    session.query(
        START,
        &[
            &parents,
            &texts(|new| &new.machine_type),
            &texts(|new| &new.key),
            &texts(|new| &new.state),
            &texts(|new| &new.snapshot),
            &detached.collect::<Vec<_>>(),
        ],
    )?;
    Ok(())
}

/// Drops the children that the machines of saves no longer await.
fn drop_some(session: &mut impl Query, saves: &[&Save]) -> Result<(), Error> {
    let (mut parents, mut keys) = (Vec::new(), Vec::new());
    for save in saves {
        for key in &save.family.dropped {
            parents.push(save.held.id.0);
            keys.push(key.as_str());
        }
    }
    if keys.is_empty() {
        return Ok(());
    }
    let dropped = session.query(DROP, &[&parents, &keys])?;
    request_cancellations(session, &dropped)
}

/// Drops all children of a machine.
pub(super) fn drop_all(session: &mut impl Query, id: i64) -> Result<(), Error> {
    let dropped = session.query(DROP_ALL, &[&id])?;
    request_cancellations(session, &dropped)
}

/// Requests the cancellation of dropped children, whose rows the transaction has locked.
fn request_cancellations(session: &mut impl Query, dropped: &[Row]) -> Result<(), Error> {
    let cancelled = dropped.iter().filter(|row| row.get(1));
    let cancelled: Vec<i64> = cancelled.map(|row| row.get(0)).collect();
    let names = vec![CANCEL.to_owned(); cancelled.len()];
    let bodies = vec!["null".to_owned(); cancelled.len()];
    send(session, &cancelled, &names, &bodies)
}

/// Reports ends to the parents that have not ended.
pub(super) fn report(session: &mut impl Query, ends: &[(i64, ChildEnd<'_>)]) -> Result<(), Error> {
    if ends.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = ends.iter().map(|(id, _)| *id).collect();
    let (mut parents, mut names, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    for row in session.query(SELECT_PARENTS, &[&ids])? {
        let (id, key): (i64, &str) = (row.get(0), row.get(1));
        let Some((_, end)) = ends.iter().find(|(ended, _)| *ended == id) else {
            continue;
        };
        let report = match end {
            ChildEnd::Done(outcome) => ChildReport::done(key, outcome),
            ChildEnd::Cancelled => ChildReport::cancelled(key),
            ChildEnd::Parked(error) => ChildReport::parked(key, error),
        };
        parents.push(row.get(2));
        names.push(report.name);
        bodies.push(report.body);
    }
    send(session, &parents, &names, &bodies)
}

/// Stores messages whose ids are their names, for machines whose rows the transaction has locked.
fn send(
    session: &mut impl Query,
    machines: &[i64],
    names: &[String],
    bodies: &[String],
) -> Result<(), Error> {
    if machines.is_empty() {
        return Ok(());
    }
    session.query(SEND, &[&machines, &names, &bodies])?;
    session.query(WAKE, &[&machines])?;
    Ok(())
}
