//! `Save`: a snapshot that a worker stores, and `Failure`: the report of a machine that has none.

use std::time::Duration;

use super::claim::ClaimToken;
use super::family::Family;
use super::timestamp::Timestamp;
use crate::machine_id::MachineId;

/// A snapshot that a worker stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// The machine, and the number of its claim.
    pub held: ClaimToken,
    /// The sequence number of this snapshot: one more than that of the stored snapshot.
    pub seq: u64,
    /// The number of the next step.
    pub next_step: u64,
    /// The name of the state.
    pub state: String,
    /// The snapshot, as JSON. If the machine ends it is that of its last state.
    pub snapshot: String,
    /// The numbers of the messages that the machine has taken since the last save.
    pub taken: Vec<i64>,
    /// The parent of the machine, and the changes of its children.
    pub family: Family,
    /// The continuation of the machine after this snapshot.
    pub then: Continuation,
}

impl Save {
    /// Returns `true` if a worker or a client may wait for the change: the machine can be claimed
    /// again, has ended, or starts others.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(crate) fn concerns_others(&self) -> bool {
        !matches!(self.then, Continuation::Runs) || !self.family.started.is_empty()
    }
}

/// The continuation of a machine after a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// The worker runs the machine on. Its claim stays.
    Runs,
    /// The machine can be claimed at once, by any worker, and its claim ends.
    Yields,
    /// The machine waits, and its claim ends.
    Waits(Wait),
    /// The machine has returned, and its claim ends.
    Ends {
        /// The output, as JSON.
        outcome: String,
    },
}

/// The events that a machine waits for. The first one makes it claimable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// The time of the timer.
    pub wake: Option<Timestamp>,
    /// The names of the signals.
    pub signals: Vec<String>,
}

/// A claim that has ended before the operation: another worker has claimed the machine, it was
/// cancelled, or another save has its sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lost {
    /// The machine. Its worker drops it without any further write.
    pub id: MachineId,
}

/// The report of a worker that cannot save a machine. The snapshot stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The machine, and the number of its claim, which ends.
    pub held: ClaimToken,
    /// The error, for the row.
    pub error: String,
    /// The continuation of the row.
    pub then: AfterFailure,
}

/// The continuation of a row after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// The machine becomes claimable again.
    Retry {
        /// The time until then.
        after: Duration,
    },
    /// The machine waits for [`Store::retry`](super::Store::retry).
    Park,
}

/// The end of the error of a machine whose attempts have reported none, after their number.
macro_rules! without_report {
    () => {
        " attempts ended without a report: the process ended or the claim was lost each time\n\
         help: `retry` continues the machine; if processes are killed often, set a larger \
         `Worker::max_attempts`"
    };
}
pub(crate) use without_report;
