//! `Page`: a part of a list of machines.

use serde::Serialize;

use crate::machine_id::MachineId;
use crate::store::{Row, Timestamp};

/// A part of a list of machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    /// The time of the store's clock. The age of a row is the time since its
    /// [`changed`](Row::changed).
    pub now: Timestamp,
    /// The machines, by ascending id.
    pub rows: Vec<Row>,
    /// The value of [`Filter::after`](crate::store::Filter::after) for the next page, if this page
    /// has as many machines as it may.
    pub next: Option<MachineId>,
}
