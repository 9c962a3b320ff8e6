//! `MemoryClock`: the clock of a store in memory.

use std::time::Duration;

use crate::store::timestamp::Timestamp;

/// The clock of a store in memory.
#[derive(Debug)]
pub(super) enum MemoryClock {
    /// The clock of the system.
    System,
    /// A clock that only `advance` moves.
    Paused(Timestamp),
}

impl MemoryClock {
    pub(super) fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp::now(),
            Self::Paused(now) => *now,
        }
    }

    /// Moves a paused clock. Returns `false` if the clock is that of the system.
    pub(super) fn advance(&mut self, duration: Duration) -> bool {
        match self {
            Self::System => false,
            Self::Paused(now) => {
                *now = now.after(duration);
                true
            }
        }
    }
}
