//! `Row`: a machine in a store, for operators, and `Filter`: a selection of rows.

use std::time::Duration;

use serde::Serialize;

use super::timestamp::Timestamp;
use crate::machine_id::MachineId;

/// The status of a machine. Databases store its number: machines that may run have numbers below
/// 2, and those that never run again have numbers from 3 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A worker may claim the machine, or one runs it.
    Runnable = 0,
    /// The machine waits for a timer or a message.
    Waiting = 1,
    /// The machine has failed. It is unchanged until [`Store::retry`](super::Store::retry).
    Parked = 2,
    /// The machine has returned.
    Done = 3,
    /// The machine was cancelled.
    Cancelled = 4,
}

impl Status {
    /// Returns the number in the column `status` of a database.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(crate) fn number(self) -> i16 {
        self as i16
    }

    /// Returns the status with this number.
    #[cfg(any(feature = "postgres", feature = "sqlite"))]
    pub(crate) fn of_number(number: i64) -> Option<Self> {
        let all = [
            Self::Runnable,
            Self::Waiting,
            Self::Parked,
            Self::Done,
            Self::Cancelled,
        ];
        all.into_iter()
            .find(|status| i64::from(status.number()) == number)
    }

    /// Returns `true` if the machine never runs again.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled)
    }
}

/// A machine in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The machine.
    pub id: MachineId,
    /// The name of the machine's type.
    pub machine_type: String,
    /// The key of the machine.
    pub key: String,
    /// The machine that has started this one, if it awaits the outcome.
    pub parent: Option<MachineId>,
    /// The status.
    pub status: Status,
    /// The name of the state.
    pub state: String,
    /// The last snapshot, as JSON.
    pub snapshot: String,
    /// The sequence number of the snapshot.
    pub seq: u64,
    /// The number of the last claim.
    pub fence: u64,
    /// The end of the lease, if a worker has claimed the machine.
    pub lease: Option<Timestamp>,
    /// The time of the timer that the machine waits for, or of the next attempt.
    pub wake: Option<Timestamp>,
    /// The names of the signals that the machine waits for.
    pub signals: Vec<String>,
    /// The number of claims since the last save.
    pub attempts: u32,
    /// The last error since the last save.
    pub error: Option<String>,
    /// The output, as JSON, if the machine has returned.
    pub outcome: Option<String>,
    /// The time of the start.
    pub created: Timestamp,
    /// The time of the last change of the snapshot or the status.
    pub changed: Timestamp,
}

impl Row {
    /// Returns `true` if [`Store::retry`](super::Store::retry) makes the machine runnable: it is
    /// parked, or waits for its next attempt after a failure.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        match self.status {
            Status::Parked => true,
            // A save resets the error, so the wait is that of a failure.
            Status::Waiting => self.error.is_some(),
            Status::Runnable | Status::Done | Status::Cancelled => false,
        }
    }
}

/// A selection of rows. Each field that is `Some` must match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The name of the type.
    pub machine_type: Option<String>,
    /// The key.
    pub key: Option<String>,
    /// The status.
    pub status: Option<Status>,
    /// The name of the state.
    pub state: Option<String>,
    /// Only machines whose last change was at least this long ago, by the clock of the store.
    pub unchanged_for: Option<Duration>,
    /// Only machines that could run at least this long ago, and that no worker has claimed since
    /// then. If they stay so, no worker runs, none knows the type and the state, or all are full.
    pub unclaimed_for: Option<Duration>,
    /// Only machines with larger numbers, for the next page.
    pub after: Option<MachineId>,
    /// The largest number of rows.
    pub limit: usize,
}

/// Selects the first 100 rows.
impl Default for Filter {
    fn default() -> Self {
        Self {
            machine_type: None,
            key: None,
            status: None,
            state: None,
            unchanged_for: None,
            unclaimed_for: None,
            after: None,
            limit: 100,
        }
    }
}
