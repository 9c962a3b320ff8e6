//! `Summary`: the number of machines of each type, status and state.

use serde::Serialize;

use super::row::Status;
use super::timestamp::Timestamp;

/// The number of machines of each type, status and state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The time of the store's clock.
    pub now: Timestamp,
    /// The groups, by ascending type, status and state.
    pub groups: Vec<SummaryGroup>,
}

/// The machines of one type, status and state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SummaryGroup {
    /// The name of the type.
    #[serde(rename = "type")]
    pub machine_type: String,
    /// The status.
    pub status: Status,
    /// The name of the state.
    pub state: String,
    /// The number of machines.
    pub machines: u64,
    /// The number of machines whose last attempt has failed.
    pub failed: u64,
    /// The earliest time of a last change.
    pub oldest: Timestamp,
    /// The number of machines that could run now, but no worker has claimed.
    ///
    /// If they stay so, no worker runs, none knows the type and the state, or all are full.
    pub unclaimed: u64,
    /// The time since which the first of them could run.
    pub unclaimed_since: Option<Timestamp>,
}
