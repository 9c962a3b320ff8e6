//! The sums of a measured region.

use std::ops::AddAssign;

/// Events between the two marks of a subject, of all threads together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Executed instructions.
    pub(crate) instructions: u64,
    /// Atomic instructions that read and write memory: a `lock` prefix, or `xchg` with memory.
    pub(crate) atomics: u64,
    /// Stores of one or more bytes, without those of atomic instructions.
    pub(crate) stores: u64,
    /// Lines that a thread wrote between two of its operations.
    pub(crate) lines: u64,
    /// Accesses that took a line, or the right to write it, from another processor.
    pub(crate) transfers: u64,
    /// System calls.
    pub(crate) calls: u64,
    /// Time of the region in instructions.
    pub(crate) time: u64,
}

impl Counts {
    /// Returns each sum in the order of [`Counts::NAMES`].
    pub(crate) fn values(&self) -> [u64; 7] {
        let Self {
            instructions,
            atomics,
            stores,
            lines,
            transfers,
            calls,
            time,
        } = *self;
        [instructions, atomics, stores, lines, transfers, calls, time]
    }

    /// Returns the sums as a line for [`Counts::from_line`].
    pub(crate) fn to_line(self) -> String {
        self.values().map(|value| value.to_string()).join(" ")
    }

    /// Parses the sums of another process. Returns `None` if the line is not complete.
    pub(crate) fn from_line(line: &str) -> Option<Self> {
        let values: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
        let [instructions, atomics, stores, lines, transfers, calls, time] =
            values.ok()?.try_into().ok()?;
        Some(Self {
            instructions,
            atomics,
            stores,
            lines,
            transfers,
            calls,
            time,
        })
    }

    /// The names of the sums.
    pub(crate) const NAMES: [&'static str; 7] = [
        "instructions",
        "atomics",
        "stores",
        "lines",
        "transfers",
        "calls",
        "time",
    ];
}

/// The cost of one step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    pub(super) atomics: u64,
    pub(super) stores: u64,
    pub(super) transfers: u64,
}

impl AddAssign<Step> for Counts {
    fn add_assign(&mut self, step: Step) {
        self.instructions += 1;
        self.atomics += step.atomics;
        self.stores += step.stores;
        self.transfers += step.transfers;
    }
}
