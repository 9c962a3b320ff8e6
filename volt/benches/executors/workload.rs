//! What a workload is.

use std::time::Instant;

use crate::executor::{Drives, Executor, Joins};

/// Runs a workload once and notes what it cost: one figure, or many where their quantiles are
/// what counts.
pub(crate) type Run = Box<dyn FnMut(&mut Vec<f64>)>;

/// What a row is about.
pub(crate) trait Describe {
    const NAME: &'static str;
    const ABOUT: &'static str;
    /// What is counted.
    const UNIT: Unit = Unit::Seconds;
    /// What is shown of the costs: the median, unless the workload is about rare cases.
    const SHOWN: &'static [Quantile] = &[Quantile {
        suffix: "",
        part: 0.5,
    }];
    /// Tasks that yield must let others run. The thread pool of futures polls them again at once,
    /// and would never end.
    const WANTS_FAIRNESS: bool = false;
    /// A run takes so long that few of them must do.
    const HEAVY: bool = false;
    /// The most that volt's figure may be, of those shown the first.
    const TARGET: Option<Target> = None;
    /// Whether the README shows the row, with the first of its figures.
    const IN_README: bool = false;
}

/// What a cost is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Bytes,
    Pieces,
}

/// What a figure must not exceed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// So many seconds, bytes or pieces.
    AtMost(f64),
    /// So many times the figure of another contestant.
    Times(f64, &'static str),
}

/// A line of the table: which part of all costs is at most the one that is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantile {
    pub(crate) suffix: &'static str,
    pub(crate) part: f64,
}

/// Median and rare cases of a latency.
pub(crate) const LATENCY: &[Quantile] = &[
    Quantile {
        suffix: " p50",
        part: 0.5,
    },
    Quantile {
        suffix: " p99",
        part: 0.99,
    },
    Quantile {
        suffix: " p99.9",
        part: 0.999,
    },
];

/// A workload for every executor.
pub(crate) trait Workload: Describe {
    /// Builds what is not measured.
    fn prepare<E: Executor>(executor: &E) -> Run;
}

/// A workload for executors whose tasks threads may wait for.
pub(crate) trait JoinWorkload: Describe {
    fn prepare<E: Joins>(executor: &E) -> Run;
}

/// A workload for executors that have timers and sockets.
pub(crate) trait DriverWorkload: Describe {
    fn prepare<E: Drives>(executor: &E) -> Run;
}

/// A run that costs the time it takes.
pub(crate) fn timed(body: impl FnMut() + 'static) -> Run {
    timed_each(1, body)
}

/// A run of so many operations, of which each costs its part of the time.
pub(crate) fn timed_each(operations: usize, mut body: impl FnMut() + 'static) -> Run {
    Box::new(move |costs| {
        let start = Instant::now();
        body();
        costs.push(start.elapsed().as_secs_f64() / operations as f64);
    })
}
