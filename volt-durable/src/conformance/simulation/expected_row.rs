//! `ExpectedRow`: the model of one row.

use crate::store::{
    AfterFailure, Claimed, Continuation, Failure, MachineId, Message, Save, Sent, Status,
};

/// The signals that senders send.
pub(super) const SIGNALS: [&str; 2] = ["paid", "parcel"];

/// A message to a machine, and `true` if a save has taken it.
struct ExpectedMessage {
    id: String,
    name: String,
    body: String,
    is_taken: bool,
    /// A claim that parks a child may claim its parent before or after.
    is_of_claim: bool,
}

/// A message that a save takes: its machine, its name and its body.
pub(super) type Taken = (MachineId, String, String);

/// The model of one row.
pub(super) struct ExpectedRow {
    pub(super) id: MachineId,
    pub(super) status: Status,
    pub(super) seq: u64,
    pub(super) fence: u64,
    pub(super) attempts: u32,
    pub(super) snapshot: String,
    pub(super) outcome: Option<String>,
    pub(super) parent: Option<MachineId>,
    /// The machine runs on when its parent no longer awaits it.
    pub(super) is_detached: bool,
    /// The fence of the claim that may write.
    holder: Option<u64>,
    has_expired: bool,
    is_timer_due: bool,
    /// The machine waits for its next attempt after a failure.
    awaits_attempt: bool,
    signals: Vec<String>,
    messages: Vec<ExpectedMessage>,
}

impl ExpectedRow {
    pub(super) fn new(id: MachineId, snapshot: &str) -> Self {
        Self {
            id,
            status: Status::Runnable,
            seq: 0,
            fence: 0,
            attempts: 0,
            snapshot: snapshot.to_owned(),
            outcome: None,
            parent: None,
            is_detached: false,
            holder: None,
            has_expired: false,
            is_timer_due: false,
            awaits_attempt: false,
            signals: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// Returns `true` if a worker can claim the row, or park it after its last attempt.
    pub(super) fn is_claimable(&self) -> bool {
        match self.status {
            Status::Runnable => self.holder.is_none() || self.has_expired,
            Status::Waiting => self.is_timer_due || self.has_message(),
            Status::Parked | Status::Done | Status::Cancelled => false,
        }
    }

    /// Returns `true` if the row may have ended the processes of its last workers.
    pub(super) fn is_suspect(&self, attempts: u32) -> bool {
        self.holder.is_some() && self.attempts >= attempts
    }

    fn has_message(&self) -> bool {
        let untaken = self.messages.iter().filter(|message| !message.is_taken);
        untaken
            .into_iter()
            .any(|message| self.signals.contains(&message.name))
    }

    /// Returns the names of the signals that the machine waits for.
    pub(super) fn signals(&self) -> &[String] {
        &self.signals
    }

    /// Returns the fence of the claim that may write.
    pub(super) fn holder(&self) -> Option<u64> {
        self.holder
    }

    /// Compares a claim with the row, and records it.
    pub(super) fn claim(&mut self, claimed: &Claimed) {
        assert!(self.is_claimable(), "claimed twice: {claimed:#?}");
        assert!(claimed.held.fence > self.fence, "{claimed:#?}");
        assert_eq!(claimed.seq, self.seq);
        assert_eq!(claimed.snapshot, self.snapshot);
        assert_eq!(claimed.attempts, self.attempts + 1);
        assert_eq!(claimed.parent, self.parent);
        self.compare_messages(claimed);
        self.fence = claimed.held.fence;
        self.attempts += 1;
        self.end_wait(Status::Runnable);
        self.holder = Some(self.fence);
    }

    /// Compares the messages of a claim with those that no save has taken. Reports of children that
    /// end in one operation have no order.
    fn compare_messages(&self, claimed: &Claimed) {
        let delivered = claimed.messages.iter();
        let delivered = delivered.map(|message| (message.name.as_str(), compact(&message.body)));
        let delivered = sorted(delivered.collect());
        let untaken = self.messages.iter().filter(|message| !message.is_taken);
        let is_delivered = |message: &&ExpectedMessage| {
            let names = delivered.iter().map(|(name, _)| *name);
            !message.is_of_claim || names.into_iter().any(|name| name == message.name)
        };
        let expected = untaken.filter(is_delivered);
        let expected = expected.map(|message| (message.name.as_str(), message.body.clone()));
        let expected = sorted(expected.collect());
        assert_eq!(delivered, expected, "a message is lost or delivered again");
    }

    fn end_wait(&mut self, status: Status) {
        self.status = status;
        self.holder = None;
        self.has_expired = false;
        self.is_timer_due = false;
        self.awaits_attempt = false;
        self.signals.clear();
    }

    /// Records that the row is parked after its last attempt.
    pub(super) fn park(&mut self) {
        self.end_wait(Status::Parked);
    }

    /// Returns `true` if the save is stored.
    pub(super) fn save(&mut self, save: &Save, taken: &[Taken]) -> bool {
        if self.holder != Some(save.held.fence) || save.seq != self.seq + 1 {
            return false;
        }
        self.seq = save.seq;
        self.attempts = 0;
        self.snapshot.clone_from(&save.snapshot);
        for message in &mut self.messages {
            let is_taken = |(machine, name, body): &Taken| {
                (*machine, name, body) == (save.held.id, &message.name, &message.body)
            };
            if taken.iter().any(is_taken) {
                assert!(!message.is_taken, "{} is taken twice", message.body);
                message.is_taken = true;
            }
        }
        match &save.then {
            Continuation::Runs => {}
            Continuation::Yields => self.end_wait(Status::Runnable),
            Continuation::Waits(wait) => {
                self.end_wait(Status::Waiting);
                self.is_timer_due = wait.wake.is_some();
                self.signals.clone_from(&wait.signals);
            }
            Continuation::Ends { outcome } => {
                self.end_wait(Status::Done);
                self.outcome = Some(outcome.clone());
            }
        }
        true
    }

    /// Returns `true` if the claim has not ended. A lease without a duration expires.
    pub(super) fn renew(&mut self, fence: u64, expires: bool) -> bool {
        let is_held = self.holder == Some(fence);
        if is_held {
            self.has_expired = expires;
        }
        is_held
    }

    pub(super) fn release(&mut self, fence: u64) {
        if self.holder == Some(fence) {
            self.attempts = self.attempts.saturating_sub(1);
            self.end_wait(Status::Runnable);
        }
    }

    /// Returns `true` if the failure is recorded. Its delay is zero.
    pub(super) fn fail(&mut self, failure: &Failure) -> bool {
        let is_held = self.holder == Some(failure.held.fence);
        if is_held && failure.then == AfterFailure::Park {
            self.end_wait(Status::Parked);
        } else if is_held {
            self.end_wait(Status::Waiting);
            self.is_timer_due = true;
            self.awaits_attempt = true;
        }
        is_held
    }

    pub(super) fn send(&mut self, message: &Message) -> Sent {
        self.receive(&message.name, &message.id, &message.body)
    }

    /// Records a message, unless the machine has ended or has one with this id.
    pub(super) fn receive(&mut self, name: &str, id: &str, body: &str) -> Sent {
        if self.status.is_final() {
            return Sent::Ended;
        }
        if self.messages.iter().any(|stored| stored.id == id) {
            return Sent::Duplicate;
        }
        self.messages.push(ExpectedMessage {
            id: id.to_owned(),
            name: name.to_owned(),
            body: compact(body),
            is_taken: false,
            is_of_claim: false,
        });
        Sent::Stored
    }

    /// Records the report of a child that a claim in progress has parked.
    pub(super) fn receive_during_a_claim(&mut self, name: &str, body: &str) {
        if self.receive(name, name, body) == Sent::Stored
            && let Some(message) = self.messages.last_mut()
        {
            message.is_of_claim = true;
        }
    }

    /// Returns `true` if a child was parked by the claim in progress, and ends the claim.
    pub(super) fn end_claim(&mut self) -> bool {
        let of_claim = self.messages.iter_mut();
        of_claim
            .filter_map(|message| message.is_of_claim.then(|| message.is_of_claim = false))
            .count()
            > 0
    }

    pub(super) fn retry(&mut self) -> bool {
        let has_failed = self.status == Status::Parked || self.awaits_attempt;
        if has_failed {
            self.end_wait(Status::Runnable);
            self.attempts = 0;
        }
        has_failed
    }

    pub(super) fn cancel(&mut self) -> bool {
        let is_cancelled = !self.status.is_final();
        if is_cancelled {
            self.end_wait(Status::Cancelled);
            self.fence += 1;
        }
        is_cancelled
    }
}

/// Returns JSON without spaces. A store may change them.
pub(super) fn compact(body: &str) -> String {
    body.replace(' ', "")
}

/// Sorts the messages of the store, behind those of senders, which have an order.
fn sorted(mut messages: Vec<(&str, String)>) -> Vec<(&str, String)> {
    let key = |name: &str| (!SIGNALS.contains(&name)).then(|| name.to_owned());
    messages.sort_by_key(|(name, _)| key(name));
    messages
}
