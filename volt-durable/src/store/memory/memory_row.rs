//! `MemoryRow`: a machine with its messages.

use std::time::Duration;

use crate::machine_id::MachineId;
use crate::store::claim::{Claim, ClaimToken, Claimed, Delivered, KnownType};
use crate::store::family::NewChild;
use crate::store::message::Sent;
use crate::store::new_machine::NewMachine;
use crate::store::row::{Row, Status};
use crate::store::save::{AfterFailure, Continuation, Failure, Save, without_report};
use crate::store::timestamp::Timestamp;

/// A machine with its messages.
#[derive(Debug)]
pub(super) struct MemoryRow {
    pub(super) row: Row,
    next_step: u64,
    is_detached: bool,
    messages: Vec<StoredMessage>,
}

/// A message. After a save has taken it, it stays for its id.
#[derive(Debug)]
struct StoredMessage {
    nr: i64,
    id: String,
    name: String,
    body: String,
    is_taken: bool,
}

impl MemoryRow {
    pub(super) fn new(id: MachineId, new: &NewMachine, now: Timestamp) -> Self {
        let row = Row {
            id,
            machine_type: new.machine_type.clone(),
            key: new.key.clone(),
            parent: None,
            status: Status::Runnable,
            state: new.state.clone(),
            snapshot: new.snapshot.clone(),
            seq: 0,
            fence: 0,
            lease: None,
            wake: None,
            signals: Vec::new(),
            attempts: 0,
            error: None,
            outcome: None,
            created: now,
            changed: now,
        };
        Self {
            row,
            next_step: 0,
            is_detached: false,
            messages: Vec::new(),
        }
    }

    /// Creates a child.
    pub(super) fn new_child(
        id: MachineId,
        new: &NewChild,
        parent: MachineId,
        now: Timestamp,
    ) -> Self {
        let mut child = Self::new(id, &new.machine, now);
        child.row.parent = Some(parent);
        child.is_detached = new.is_detached;
        child
    }

    /// Ends the relation to the parent. Returns `true` if the child is to be cancelled.
    pub(super) fn drop_by_parent(&mut self) -> bool {
        self.row.parent = None;
        !self.is_detached
    }

    /// Returns the time at which a worker with these types can claim the machine.
    ///
    /// A row that can run now can do so if the clock was moved back, too.
    pub(super) fn claimable_at(&self, known: &[KnownType], now: Timestamp) -> Option<Timestamp> {
        let row = &self.row;
        let own_type = known.iter().find(|known| known.name == row.machine_type)?;
        let is_known = own_type.states.contains(&row.state);
        self.ready_at(now).filter(|_| is_known)
    }

    /// Returns the time at which a worker that knows the type and the state can claim the machine.
    pub(super) fn ready_at(&self, now: Timestamp) -> Option<Timestamp> {
        let row = &self.row;
        let ready = match row.status {
            Status::Runnable => row.changed.min(now),
            Status::Waiting if self.has_signal() => row.changed.min(now),
            Status::Waiting => row.wake?,
            Status::Parked | Status::Done | Status::Cancelled => return None,
        };
        Some(row.lease.map_or(ready, |lease| lease.max(ready)))
    }

    /// Returns `true` if a message for a signal that the machine waits for is stored.
    fn has_signal(&self) -> bool {
        let mut messages = self.messages.iter();
        messages.any(|message| !message.is_taken && self.row.signals.contains(&message.name))
    }

    /// Returns `true` if the machine may have ended the processes of its last workers, and has an
    /// attempt left.
    pub(super) fn is_suspect(&self, claim: &Claim) -> bool {
        let suspects = claim.suspect_attempts()..claim.max_attempts;
        self.row.lease.is_some() && suspects.contains(&self.row.attempts)
    }

    /// Claims the machine, or parks it if it had too many attempts.
    pub(super) fn claim(&mut self, claim: &Claim, now: Timestamp) -> Option<Claimed> {
        let row = &mut self.row;
        row.lease = None;
        row.wake = None;
        row.signals.clear();
        if row.attempts >= claim.max_attempts {
            let error = || format!("{}{}", row.attempts, without_report!());
            row.error.get_or_insert_with(error);
            self.set_status(Status::Parked, now);
            return None;
        }
        row.fence += 1;
        row.attempts += 1;
        row.lease = Some(now.after(claim.lease));
        self.set_status(Status::Runnable, now);
        Some(self.claimed(now))
    }

    fn claimed(&self, now: Timestamp) -> Claimed {
        let row = &self.row;
        let untaken = self.messages.iter().filter(|message| !message.is_taken);
        let delivered = untaken.map(|message| Delivered {
            nr: message.nr,
            name: message.name.clone(),
            body: message.body.clone(),
        });
        Claimed {
            held: ClaimToken {
                id: row.id,
                fence: row.fence,
            },
            machine_type: row.machine_type.clone(),
            key: row.key.clone(),
            state: row.state.clone(),
            snapshot: row.snapshot.clone(),
            next_step: self.next_step,
            seq: row.seq,
            attempts: row.attempts,
            now,
            parent: row.parent,
            messages: delivered.collect(),
            unreadable: None,
        }
    }

    /// Returns `true` if the claim has not ended.
    pub(super) fn is_held(&self, held: ClaimToken) -> bool {
        self.row.fence == held.fence && self.row.lease.is_some()
    }

    pub(super) fn renew(&mut self, lease: Duration, now: Timestamp) {
        self.row.lease = Some(now.after(lease));
    }

    /// Stores a snapshot. Returns `false` if the claim has ended.
    pub(super) fn save(&mut self, save: &Save, now: Timestamp) -> bool {
        if !self.is_held(save.held) || save.seq != self.row.seq + 1 {
            return false;
        }
        let taken = |message: &&mut StoredMessage| save.taken.contains(&message.nr);
        for message in self.messages.iter_mut().filter(taken) {
            message.is_taken = true;
            message.body.clear();
        }
        self.next_step = save.next_step;
        let row = &mut self.row;
        row.seq = save.seq;
        row.state.clone_from(&save.state);
        row.snapshot.clone_from(&save.snapshot);
        row.attempts = 0;
        row.error = None;
        let status = match &save.then {
            Continuation::Runs => Status::Runnable,
            Continuation::Yields => {
                row.lease = None;
                Status::Runnable
            }
            Continuation::Waits(wait) => {
                row.lease = None;
                row.wake = wait.wake;
                row.signals.clone_from(&wait.signals);
                Status::Waiting
            }
            Continuation::Ends { outcome } => {
                row.lease = None;
                row.outcome = Some(outcome.clone());
                Status::Done
            }
        };
        self.set_status(status, now);
        true
    }

    /// Records a failure. Returns `false` if the claim has ended.
    pub(super) fn fail(&mut self, failure: &Failure, now: Timestamp) -> bool {
        if !self.is_held(failure.held) {
            return false;
        }
        self.row.lease = None;
        self.row.error = Some(failure.error.clone());
        match failure.then {
            AfterFailure::Retry { after } => {
                self.row.wake = Some(now.after(after));
                self.set_status(Status::Waiting, now);
            }
            AfterFailure::Park => self.set_status(Status::Parked, now),
        }
        true
    }

    pub(super) fn release(&mut self, held: ClaimToken, now: Timestamp) {
        if self.is_held(held) {
            self.row.lease = None;
            self.row.attempts = self.row.attempts.saturating_sub(1);
            self.row.changed = now;
        }
    }

    /// Stores a message with this number.
    pub(super) fn send(&mut self, nr: i64, name: &str, id: &str, body: &str) -> Sent {
        if self.row.status.is_final() {
            return Sent::Ended;
        }
        let mut stored = self.messages.iter();
        if stored.any(|stored| stored.id == id) {
            return Sent::Duplicate;
        }
        self.messages.push(StoredMessage {
            nr,
            id: id.to_owned(),
            name: name.to_owned(),
            body: body.to_owned(),
            is_taken: false,
        });
        Sent::Stored
    }

    pub(super) fn retry(&mut self, now: Timestamp) -> bool {
        let has_failed = self.row.has_failed();
        if has_failed {
            self.row.attempts = 0;
            self.row.wake = None;
            self.set_status(Status::Runnable, now);
        }
        has_failed
    }

    pub(super) fn cancel(&mut self, now: Timestamp) -> bool {
        let ends = !self.row.status.is_final();
        if ends {
            self.row.fence += 1;
            self.row.lease = None;
            self.row.wake = None;
            self.row.signals.clear();
            self.set_status(Status::Cancelled, now);
        }
        ends
    }

    fn set_status(&mut self, status: Status, now: Timestamp) {
        self.row.status = status;
        self.row.changed = now;
    }
}
