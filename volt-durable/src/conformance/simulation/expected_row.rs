//! `ExpectedRow`: the model of one row.

use crate::store::{
    AfterFailure, Claimed, Continuation, Failure, MachineId, Message, Save, Sent, Status,
};

/// A message to a machine, and `true` if a save has taken it.
struct ExpectedMessage {
    id: String,
    name: String,
    body: String,
    is_taken: bool,
}

/// The model of one row.
pub(super) struct ExpectedRow {
    pub(super) id: MachineId,
    pub(super) status: Status,
    pub(super) seq: u64,
    pub(super) fence: u64,
    pub(super) attempts: u32,
    pub(super) snapshot: String,
    pub(super) outcome: Option<String>,
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
        let delivered = claimed.messages.iter();
        let delivered = delivered.map(|message| (message.name.as_str(), message.body.as_str()));
        let untaken = self.messages.iter().filter(|message| !message.is_taken);
        let untaken = untaken.map(|message| (message.name.as_str(), message.body.as_str()));
        assert_eq!(
            delivered.collect::<Vec<_>>(),
            untaken.collect::<Vec<_>>(),
            "a message is lost or delivered again"
        );
        self.fence = claimed.held.fence;
        self.attempts += 1;
        self.end_wait(Status::Runnable);
        self.holder = Some(self.fence);
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

    /// Returns `true` if the save is stored. `bodies` are those of the messages that it takes.
    pub(super) fn save(&mut self, save: &Save, bodies: &[String]) -> bool {
        if self.holder != Some(save.held.fence) || save.seq != self.seq + 1 {
            return false;
        }
        self.seq = save.seq;
        self.attempts = 0;
        self.snapshot.clone_from(&save.snapshot);
        for message in &mut self.messages {
            if bodies.contains(&message.body) {
                assert!(!message.is_taken, "{} is taken twice", message.body);
                message.is_taken = true;
            }
        }
        match &save.then {
            Continuation::Runs => {}
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
        if self.status.is_final() {
            return Sent::Ended;
        }
        if self.messages.iter().any(|stored| stored.id == message.id) {
            return Sent::Duplicate;
        }
        self.messages.push(ExpectedMessage {
            id: message.id.clone(),
            name: message.name.clone(),
            body: message.body.clone(),
            is_taken: false,
        });
        Sent::Stored
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
