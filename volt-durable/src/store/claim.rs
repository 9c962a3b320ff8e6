//! `Claim`: a request for machines to run, and `Claimed`: one of them.

use std::time::Duration;

use super::timestamp::Timestamp;
use crate::machine_id::MachineId;

/// A type of machines that a worker can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownType {
    /// The name of the type.
    pub name: String,
    /// The names of its states. A machine in another state belongs to another build.
    pub states: Vec<String>,
}

/// A request for machines to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The types and states that the worker knows.
    pub known: Vec<KnownType>,
    /// The largest number of machines to claim.
    pub limit: usize,
    /// The time after which another worker may claim the machines.
    pub lease: Duration,
    /// The number of attempts after which a machine is parked instead of claimed.
    pub max_attempts: u32,
    /// The largest number of suspects to claim. A suspect is a machine whose lease has expired,
    /// with at least half of `max_attempts`: it may have ended the processes of its workers.
    pub suspects: usize,
}

impl Claim {
    /// Returns the number of attempts from which on a machine is a suspect if its lease has
    /// expired.
    #[must_use]
    pub fn suspect_attempts(&self) -> u32 {
        (self.max_attempts / 2).max(1)
    }
}

/// The right to write a machine, until its lease expires and another worker claims it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClaimToken {
    /// The machine.
    pub id: MachineId,
    /// The number of the claim. A later claim of the machine has a larger one.
    pub fence: u64,
}

/// A machine that a worker has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// The machine, and the number of this claim.
    pub held: ClaimToken,
    /// The name of the machine's type.
    pub machine_type: String,
    /// The key of the machine.
    pub key: String,
    /// The name of the state.
    pub state: String,
    /// The last snapshot, as JSON. Its members may be in another order than when it was saved.
    pub snapshot: String,
    /// The number of the next step, which was saved with the snapshot.
    pub next_step: u64,
    /// The sequence number of the snapshot. The next save has the number after it.
    pub seq: u64,
    /// The number of claims since the last save, including this one.
    pub attempts: u32,
    /// The time of the claim.
    pub now: Timestamp,
    /// The machine that has started this one, if one awaits its outcome.
    pub parent: Option<MachineId>,
    /// The messages that no save has taken, in the order in which they were stored.
    pub messages: Vec<Delivered>,
    /// The reason for which the snapshot or a message cannot be read, if the store knows one, such
    /// as a wrong key. The worker parks the machine with it.
    pub unreadable: Option<String>,
}

/// A message of a claimed machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The number of the message in the store. A save names it to take the message.
    pub nr: i64,
    /// The name of the signal.
    pub name: String,
    /// The value, as JSON.
    pub body: String,
}
