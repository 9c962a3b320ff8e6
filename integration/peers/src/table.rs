//! The results of a row, and their medians.

use std::fmt;
use std::time::Duration;

/// The cost of one round trip or read.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) elapsed: Duration,
    pub(crate) processor: Duration,
}

impl Cost {
    /// Returns the cost of one of `count` operations.
    pub(crate) fn per(self, count: u64) -> Self {
        let one = |total: Duration| Duration::from_secs_f64(total.as_secs_f64() / count as f64);
        Self {
            elapsed: one(self.elapsed),
            processor: one(self.processor),
        }
    }
}

/// A contestant's costs in all rounds of a row.
pub(crate) struct Line {
    pub(crate) row: String,
    pub(crate) contestant: &'static str,
    pub(crate) costs: Vec<Cost>,
}

impl Line {
    fn of(&self, figure: impl Fn(&Cost) -> Duration) -> Spread {
        let mut values: Vec<f64> = self
            .costs
            .iter()
            .map(|cost| figure(cost).as_secs_f64() * 1e6)
            .collect();
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values[((values.len() - 1) as f64 * part).round() as usize];
        Spread {
            median: at(0.5),
            half_range: (at(0.75) - at(0.25)) / 2.0,
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.costs.is_empty() {
            return write!(
                f,
                "| {} | {} | does not run here | |",
                self.row, self.contestant
            );
        }
        let elapsed = self.of(|cost| cost.elapsed);
        let processor = self.of(|cost| cost.processor);
        write!(
            f,
            "| {} | {} | {elapsed} | {processor} |",
            self.row, self.contestant
        )
    }
}

/// A median and half the interquartile range, in microseconds.
struct Spread {
    median: f64,
    half_range: f64,
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.2} µs ±{:.0} %",
            self.median,
            self.half_range / self.median * 100.0
        )
    }
}
