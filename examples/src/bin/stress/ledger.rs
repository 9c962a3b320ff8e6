//! Counters of live and of ended tasks, compared at the end.

use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};

/// The books of one round.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    alive: AtomicI64,
    begun: AtomicU64,
}

/// Something that must be dropped exactly once.
#[derive(Debug)]
pub(crate) struct Guard(Arc<Ledger>);

impl Ledger {
    pub(crate) fn guard(self: &Arc<Self>) -> Guard {
        self.alive.fetch_add(1, SeqCst);
        self.begun.fetch_add(1, SeqCst);
        Guard(Arc::clone(self))
    }

    pub(crate) fn alive(&self) -> i64 {
        self.alive.load(SeqCst)
    }

    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(SeqCst)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let before = self.0.alive.fetch_sub(1, SeqCst);
        assert!(before > 0, "dropped twice");
    }
}

/// The sums of all rounds.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub(crate) rounds: u64,
    pub(crate) tasks: u64,
    pub(crate) polls: u64,
    pub(crate) stolen: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.tasks += other.tasks;
        self.polls += other.polls;
        self.stolen += other.stolen;
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rounds,
            tasks,
            polls,
            stolen,
        } = self;
        write!(
            f,
            "{rounds} rounds, {tasks} tasks, {polls} polls, {stolen} stolen"
        )
    }
}
