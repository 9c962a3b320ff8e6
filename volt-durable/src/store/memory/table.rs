//! `Table`: the machines of a store in memory.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::memory_clock::MemoryClock;
use super::memory_row::MemoryRow;
use crate::machine_id::MachineId;
use crate::store::claim::{Claim, ClaimToken, Claimed, KnownType};
use crate::store::family::{ChildReport, NewChild};
use crate::store::message::{Message, Sent};
use crate::store::new_machine::{NewMachine, Started};
use crate::store::row::{Filter, Row};
use crate::store::save::{AfterFailure, Failure, Lost, Save};
use crate::store::summary::{Summary, SummaryGroup};
use crate::store::timestamp::Timestamp;

/// The machines of a store in memory.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) clock: MemoryClock,
    pub(super) rows: BTreeMap<MachineId, MemoryRow>,
    /// The machines by type and key.
    ids: HashMap<(String, String), MachineId>,
    /// The number of the last machine.
    last_machine: i64,
    /// The number of the last message.
    last_message: i64,
}

impl Table {
    pub(super) fn new(clock: MemoryClock) -> Self {
        Self {
            clock,
            rows: BTreeMap::new(),
            ids: HashMap::new(),
            last_machine: 0,
            last_message: 0,
        }
    }

    pub(super) fn start(&mut self, new: &NewMachine) -> Started {
        let now = self.clock.now();
        self.insert(new, |id| MemoryRow::new(id, new, now))
    }

    /// Starts a child.
    pub(super) fn start_child(&mut self, new: &NewChild, parent: MachineId) {
        let now = self.clock.now();
        let row = |id| MemoryRow::new_child(id, new, parent, now);
        self.insert(&new.machine, row);
    }

    /// Adds a row, unless one has the type and the key.
    fn insert(&mut self, new: &NewMachine, row: impl FnOnce(MachineId) -> MemoryRow) -> Started {
        let key = (new.machine_type.clone(), new.key.clone());
        if let Some(id) = self.ids.get(&key) {
            return Started {
                id: *id,
                is_new: false,
            };
        }
        self.last_machine += 1;
        let id = MachineId(self.last_machine);
        self.rows.insert(id, row(id));
        self.ids.insert(key, id);
        Started { id, is_new: true }
    }

    pub(super) fn claim(&mut self, claim: &Claim) -> Vec<Claimed> {
        let now = self.clock.now();
        let mut ready: Vec<_> = self
            .rows
            .iter()
            .filter_map(|(id, row)| Some((row.claimable_at(&claim.known, now)?, *id)))
            .filter(|(at, _)| *at <= now)
            .collect();
        ready.sort_unstable();
        let mut claimed = Vec::new();
        let mut suspects = 0;
        for (_, id) in ready {
            if claimed.len() >= claim.limit {
                break;
            }
            let Some(row) = self.rows.get_mut(&id) else {
                continue;
            };
            if row.is_suspect(claim) {
                if suspects >= claim.suspects {
                    continue;
                }
                suspects += 1;
            }
            let is_claimed = row.claim(claim, now);
            if is_claimed.is_none() {
                self.report_parked(id);
            }
            claimed.extend(is_claimed);
        }
        claimed
    }

    pub(super) fn renew(&mut self, held: &[ClaimToken], lease: Duration) -> Vec<Lost> {
        let now = self.clock.now();
        let mut lost = Vec::new();
        for held in held {
            match self.held_row(*held) {
                Some(row) => row.renew(lease, now),
                None => lost.push(Lost { id: held.id }),
            }
        }
        lost
    }

    fn held_row(&mut self, held: ClaimToken) -> Option<&mut MemoryRow> {
        let row = self.rows.get_mut(&held.id)?;
        row.is_held(held).then_some(row)
    }

    pub(super) fn save(&mut self, saves: &[Save]) -> Vec<Lost> {
        let now = self.clock.now();
        let mut lost = Vec::new();
        for save in saves {
            let id = save.held.id;
            let row = self.rows.get_mut(&id);
            if row.is_some_and(|row| row.save(save, now)) {
                self.change_family(save);
            } else {
                lost.push(Lost { id });
            }
        }
        lost
    }

    pub(super) fn fail(&mut self, failure: &Failure) -> Option<Lost> {
        let now = self.clock.now();
        let id = failure.held.id;
        let row = self.rows.get_mut(&id);
        let is_recorded = row.is_some_and(|row| row.fail(failure, now));
        if is_recorded && failure.then == AfterFailure::Park {
            self.report_parked(id);
        }
        (!is_recorded).then_some(Lost { id })
    }

    pub(super) fn release(&mut self, held: &[ClaimToken]) {
        let now = self.clock.now();
        for held in held {
            if let Some(row) = self.rows.get_mut(&held.id) {
                row.release(*held, now);
            }
        }
    }

    pub(super) fn send(&mut self, message: &Message) -> Sent {
        let key = (message.machine_type.clone(), message.key.clone());
        match self.ids.get(&key) {
            Some(id) => self.send_to(*id, &message.name, &message.id, &message.body),
            None => Sent::NoMachine,
        }
    }

    /// Stores a message for a machine.
    pub(super) fn send_to(&mut self, id: MachineId, name: &str, nr: &str, body: &str) -> Sent {
        let Some(row) = self.rows.get_mut(&id) else {
            return Sent::NoMachine;
        };
        self.last_message += 1;
        row.send(self.last_message, name, nr, body)
    }

    pub(super) fn next_wake(&self, known: &[KnownType]) -> Option<Duration> {
        let now = self.clock.now();
        let rows = self.rows.values();
        let next = rows.filter_map(|row| row.claimable_at(known, now)).min()?;
        Some(next.since(now))
    }

    pub(super) fn list(&self, filter: &Filter) -> Vec<Row> {
        let selected = self.selected(filter).take(filter.limit);
        selected.map(|row| row.row.clone()).collect()
    }

    fn selected<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = &'a MemoryRow> {
        let now = self.clock.now();
        let rows = self.rows.values();
        rows.filter(move |row| is_selected(row, filter, now))
    }

    pub(super) fn summary(&self, filter: &Filter) -> Summary {
        let filter = Filter {
            after: None,
            ..filter.clone()
        };
        let now = self.clock.now();
        let mut groups = BTreeMap::new();
        for stored in self.selected(&filter) {
            let row = &stored.row;
            let key = (&row.machine_type, row.status as i16, &row.state);
            let group = groups.entry(key).or_insert_with(|| SummaryGroup {
                machine_type: row.machine_type.clone(),
                status: row.status,
                state: row.state.clone(),
                machines: 0,
                failed: 0,
                oldest: row.changed,
                unclaimed: 0,
                unclaimed_since: None,
            });
            group.machines += 1;
            group.failed += u64::from(row.has_failed());
            group.oldest = group.oldest.min(row.changed);
            if let Some(since) = stored.ready_at(now).filter(|ready| *ready <= now) {
                group.unclaimed += 1;
                let first = group
                    .unclaimed_since
                    .map_or(since, |first| first.min(since));
                group.unclaimed_since = Some(first);
            }
        }
        Summary {
            now,
            groups: groups.into_values().collect(),
        }
    }

    pub(super) fn retry(&mut self, id: MachineId) -> bool {
        let now = self.clock.now();
        self.rows.get_mut(&id).is_some_and(|row| row.retry(now))
    }

    pub(super) fn cancel(&mut self, id: MachineId) -> bool {
        let now = self.clock.now();
        let is_cancelled = self.rows.get_mut(&id).is_some_and(|row| row.cancel(now));
        if is_cancelled {
            self.report(id, |row| Some(ChildReport::cancelled(&row.key)));
            self.drop_children(id, |_| true);
        }
        is_cancelled
    }

    pub(super) fn delete_ended(&mut self, age: Duration, limit: usize) -> usize {
        let now = self.clock.now();
        let ended = self.rows.values().map(|row| &row.row);
        let ended = ended.filter(|row| row.status.is_final() && row.changed.after(age) <= now);
        let mut ended: Vec<_> = ended.map(|row| (row.changed, row.id)).collect();
        ended.sort_unstable();
        ended.truncate(limit);
        for (_, id) in &ended {
            if let Some(MemoryRow { row, .. }) = self.rows.remove(id) {
                self.ids.remove(&(row.machine_type, row.key));
            }
        }
        ended.len()
    }
}

fn is_selected(stored: &MemoryRow, filter: &Filter, now: Timestamp) -> bool {
    let row = &stored.row;
    let is_unclaimed = |duration| {
        let ready = stored.ready_at(now);
        ready.is_some_and(|ready| ready <= now.before(duration))
    };
    filter.unclaimed_for.is_none_or(is_unclaimed)
        && filter
            .machine_type
            .as_ref()
            .is_none_or(|name| *name == row.machine_type)
        && filter.key.as_ref().is_none_or(|key| *key == row.key)
        && filter.status.is_none_or(|status| status == row.status)
        && filter
            .state
            .as_ref()
            .is_none_or(|state| *state == row.state)
        && filter
            .unchanged_for
            .is_none_or(|duration| row.changed <= now.before(duration))
        && filter.after.is_none_or(|after| after < row.id)
}
