//! Saves of snapshots, and reports of failures.

use postgres::{Error, Row, Transaction};

use super::claim_sql::lost;
use super::family_sql::{ChildEnd, FamilyColumns, WAKE, report};
use crate::store::postgres::columns::{column, millis, now};
use crate::store::postgres::listener::notify;
use crate::store::postgres::session::{Query, Session};
use crate::store::row::Status;
use crate::store::save::{AfterFailure, Continuation, Failure, Lost, Save};

/// Writes the machines whose claim and number match, and takes their messages.
const SAVE: &str = concat!(
    "with input as (
        select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
            $6::text[], $7::smallint[], $8::bigint[], $9::text[], $10::text[], $13::boolean[])
        as input (id, fence, seq, next_step, state, snapshot, status, wake, signals, outcome, runs)
    ), saved as (
        update durable_machine as machine
        set seq = input.seq, next_step = input.next_step, state = input.state,
            snapshot = input.snapshot::json, attempts = 0, error = null, status = input.status,
            lease = case when input.runs then machine.lease end,
            due = case
                when input.runs then machine.due
                when input.status = 0 then ",
    now!(),
    " when input.status = 1 then input.wake
            end,
            wake = input.wake,
            signals = array(select json_array_elements_text(input.signals::json)),
            outcome = input.outcome::json, changed = ",
    now!(),
    " from input
        where machine.id = input.id and machine.fence = input.fence
            and machine.lease is not null and machine.seq = input.seq - 1
        returning machine.id, machine.lease
    ), taken as (
        update durable_message as message set taken = true, body = null
        from unnest($11::bigint[], $12::bigint[]) as input (machine, nr), saved
        where message.machine = input.machine and message.nr = input.nr
            and saved.id = input.machine
    )
    select id, case when lease is null then ",
    notify!(),
    " end from saved"
);

const FAIL: &str = concat!(
    "update durable_machine set lease = null, error = $3, changed = ",
    now!(),
    ", status = case when $4::bigint is null then 2 else 1 end, wake = ",
    now!(),
    " + $4, due = ",
    now!(),
    " + $4 where id = $1 and fence = $2 and lease is not null returning id, ",
    notify!()
);

/// The parameters of [`SAVE`], one vector for each column.
#[derive(Default)]
struct Columns<'a> {
    ids: Vec<i64>,
    fences: Vec<i64>,
    seqs: Vec<i64>,
    next_steps: Vec<i64>,
    states: Vec<&'a str>,
    snapshots: Vec<&'a str>,
    statuses: Vec<i16>,
    wakes: Vec<Option<i64>>,
    signals: Vec<String>,
    outcomes: Vec<Option<&'a str>>,
    runs: Vec<bool>,
    takers: Vec<i64>,
    taken: Vec<i64>,
    /// The machines that wait for a signal.
    receivers: Vec<i64>,
    family: FamilyColumns<'a>,
}

impl<'a> Columns<'a> {
    fn push(&mut self, save: &'a Save) {
        let id = save.held.id.0;
        self.ids.push(id);
        self.fences.push(column(save.held.fence));
        self.seqs.push(column(save.seq));
        self.next_steps.push(column(save.next_step));
        self.states.push(&save.state);
        self.snapshots.push(&save.snapshot);
        self.takers.extend(save.taken.iter().map(|_| id));
        self.taken.extend(&save.taken);
        let (status, wake, signals, outcome): (_, _, &[String], _) = match &save.then {
            Continuation::Runs | Continuation::Yields => (Status::Runnable, None, &[], None),
            Continuation::Waits(wait) => (Status::Waiting, wait.wake, &wait.signals, None),
            Continuation::Ends { outcome } => (Status::Done, None, &[], Some(outcome.as_str())),
        };
        self.statuses.push(status.number());
        self.wakes.push(wake.map(|wake| wake.as_millis()));
        self.signals.push(serde_json::json!(signals).to_string());
        self.outcomes.push(outcome);
        self.runs.push(matches!(save.then, Continuation::Runs));
        if !signals.is_empty() {
            self.receivers.push(id);
        }
        self.family.push(save);
    }

    fn write(&self, session: &mut impl Query) -> Result<Vec<Lost>, Error> {
        let saved = session.query(
            SAVE,
            &[
                &self.ids,
                &self.fences,
                &self.seqs,
                &self.next_steps,
                &self.states,
                &self.snapshots,
                &self.statuses,
                &self.wakes,
                &self.signals,
                &self.outcomes,
                &self.takers,
                &self.taken,
                &self.runs,
            ],
        )?;
        Ok(lost(self.ids.clone(), &saved))
    }

    /// Returns `true` if the machines are all that is written.
    fn is_one_statement(&self) -> bool {
        self.receivers.is_empty() && self.family.is_empty()
    }

    /// Writes the machines, changes their families, and makes those with a stored message
    /// claimable. All of it belongs to one transaction.
    fn write_all(&self, session: &mut impl Query) -> Result<Vec<Lost>, Error> {
        let lost = self.write(session)?;
        self.family.write(session, &lost)?;
        session.query(WAKE, &[&self.receivers])?;
        Ok(lost)
    }
}

pub(in crate::store::postgres) fn save(
    session: &mut Session,
    saves: &[&Save],
) -> Result<Vec<Lost>, Error> {
    let mut columns = Columns::default();
    saves.iter().for_each(|save| columns.push(save));
    if columns.is_one_statement() {
        return columns.write(session);
    }
    session.transaction(|session| columns.write_all(session))
}

/// Stores a save in the transaction of a step.
pub(in crate::store::postgres) fn save_in(
    transaction: &mut Transaction<'_>,
    save: &Save,
) -> Result<Option<Lost>, Error> {
    let mut columns = Columns::default();
    columns.push(save);
    Ok(columns.write_all(transaction)?.pop())
}

pub(in crate::store::postgres) fn fail(
    session: &mut Session,
    failure: &Failure,
) -> Result<Option<Lost>, Error> {
    let Failure { held, error, then } = failure;
    let delay = match then {
        AfterFailure::Retry { after } => Some(millis(*after)),
        AfterFailure::Park => None,
    };
    // A text of PostgreSQL has no U+0000.
    let error = error.replace('\0', "\u{fffd}");
    let parameters: [&(dyn postgres::types::ToSql + Sync); 4] =
        [&held.id.0, &column(held.fence), &error, &delay];
    let is_written = if delay.is_some() {
        !session.query(FAIL, &parameters)?.is_empty()
    } else {
        session.transaction(|session| {
            let written = session.query(FAIL, &parameters)?;
            report(session, &park_of(&written, &error))?;
            Ok(!written.is_empty())
        })?
    };
    Ok((!is_written).then_some(Lost { id: held.id }))
}

/// Returns the ends of the parked machines.
fn park_of<'a>(written: &[Row], error: &'a str) -> Vec<(i64, ChildEnd<'a>)> {
    let ids = written.iter().map(|row| row.get(0));
    ids.map(|id| (id, ChildEnd::Parked(error))).collect()
}
