//! The traits of workloads.

use std::time::Instant;

use crate::executor::{Drives, Executor, Joins};

/// Runs a workload once, and stores its cost: one figure, or many if the row shows quantiles.
pub(crate) type Run = Box<dyn FnMut(&mut Vec<f64>)>;

/// The description of a row.
pub(crate) trait Describe {
    const NAME: &'static str;
    const ABOUT: &'static str;
    /// The unit of the cost.
    const UNIT: Unit = Unit::Seconds;
    /// The quantiles that the table shows. The default is the median.
    const SHOWN: &'static [Quantile] = &[Quantile {
        suffix: "",
        part: 0.5,
    }];
    /// `true` if the workload ends only if yielding tasks let others run. The thread pool of
    /// `futures` polls them again at once.
    const NEEDS_FAIRNESS: bool = false;
    /// `true` if a run is long, so that fewer rounds are run.
    const HEAVY: bool = false;
    /// The limit of volt's figure for the first quantile.
    const TARGET: Option<Target> = None;
    /// `true` if the README shows the row, with its first figure.
    const IN_README: bool = false;
}

/// The unit of a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Bytes,
    Pieces,
}

/// The limit of a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// An absolute limit in seconds, bytes or pieces.
    AtMost(f64),
    /// A multiple of the figure of another contestant.
    Times(f64, &'static str),
}

/// A line of the table. `part` is the fraction of all costs that do not exceed the figure.
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
    /// Prepares the run. This part is not measured.
    fn prepare<E: Executor>(executor: &E) -> Run;
}

/// A workload for executors whose tasks can be joined by a blocking thread.
pub(crate) trait JoinWorkload: Describe {
    fn prepare<E: Joins>(executor: &E) -> Run;
}

/// A workload for executors that have timers and sockets.
pub(crate) trait DriverWorkload: Describe {
    fn prepare<E: Drives>(executor: &E) -> Run;
}

/// Returns a run whose cost is its time.
pub(crate) fn timed(body: impl FnMut() + 'static) -> Run {
    timed_each(1, body)
}

/// Returns a run of several operations. The cost is the time of one operation.
pub(crate) fn timed_each(operations: usize, mut body: impl FnMut() + 'static) -> Run {
    Box::new(move |costs| {
        let start = Instant::now();
        body();
        costs.push(start.elapsed().as_secs_f64() / operations as f64);
    })
}
