//! The acts of inspections, and their counters, none of which may be zero at the end.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An act of an inspection, or of code that an inspection calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InspectionAct {
    Dump,
    DumpBesideEnd,
    Diff,
    ShownValue,
    PanickedValue,
    LostTree,
    PolledTask,
    PollBesideEnd,
    SignalDump,
    SignalPanic,
    ForkThatExits,
    ForkThatDumps,
    ForkWithRuntime,
    ForkThatIsRefused,
    DumpInDebug,
    OtherDumpInDebug,
    SpawnInDebug,
    BlockInDebug,
    PanicInDebug,
    DumpInInspect,
    OtherDumpInInspect,
    SpawnInInspect,
    BlockInInspect,
    PanicInInspect,
}

/// The names of the acts, in their order.
const NAMES: [&str; 24] = [
    "dumps",
    "dumps beside the end of a runtime",
    "diffs",
    "values shown",
    "values that panicked",
    "trees lost by a panic",
    "tasks polled by inspections",
    "inspection polls beside the end of a runtime",
    "dumps on a signal",
    "panics in a dump on a signal",
    "forks that exit",
    "forks that dump",
    "forks with a runtime",
    "forks whose block_on is refused",
    "dumps in Debug",
    "dumps by another thread in Debug",
    "spawns in Debug",
    "waits for a lock in Debug",
    "panics in Debug",
    "dumps in Inspect",
    "dumps by another thread in Inspect",
    "spawns in Inspect",
    "waits for a lock in Inspect",
    "panics in Inspect",
];

static COUNTS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];

impl InspectionAct {
    pub(crate) fn count(self) {
        self.count_by(1);
    }

    pub(crate) fn count_by(self, number: usize) {
        COUNTS[self as usize].fetch_add(number as u64, Relaxed);
    }
}

/// Returns the names of the acts that were not done.
pub(crate) fn missing_acts() -> Vec<&'static str> {
    let counts = COUNTS.iter().map(|count| count.load(Relaxed));
    let named = counts.zip(NAMES);
    let missing = named.filter(|(count, _)| *count == 0);
    missing.map(|(_, name)| name).collect()
}

/// The text of all counters.
#[derive(Debug)]
pub(crate) struct ActCounts;

impl fmt::Display for ActCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (count, name)) in COUNTS.iter().zip(NAMES).enumerate() {
            let before = if nth == 0 { "" } else { ", " };
            write!(f, "{before}{} {name}", count.load(Relaxed))?;
        }
        Ok(())
    }
}
