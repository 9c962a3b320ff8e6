//! The table: a line a workload, a column a contestant.

use std::fmt;

use crate::contest::Outcome;

/// All outcomes of a run, shown as a Markdown table.
///
/// The last column is the best peer's median divided by that of the first contestant, which is
/// the one the table is about: above 1 it is ahead of all others.
pub(crate) struct Table {
    workers: usize,
    rounds: usize,
    outcomes: Vec<Outcome>,
}

impl Table {
    pub(crate) fn new(workers: usize, rounds: usize) -> Self {
        Self {
            workers,
            rounds,
            outcomes: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }

    fn lead_mean(&self) -> f64 {
        let logs = self.outcomes.iter().map(|outcome| lead(outcome).ln());
        (logs.sum::<f64>() / self.outcomes.len() as f64).exp()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.outcomes.first() else {
            return writeln!(f, "no workload of that name");
        };
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        writeln!(
            f,
            "{} workers, {cores} cores, {} rounds: median ± half the distance of the quartiles\n",
            self.workers, self.rounds
        )?;
        let names: Vec<_> = first.samples.iter().map(|(name, _)| column(name)).collect();
        writeln!(f, "| workload | {} | lead |", names.join(" | "))?;
        writeln!(f, "| --- |{} ---: |", " ---: |".repeat(names.len()))?;
        for outcome in &self.outcomes {
            writeln!(f, "{}", line(outcome))?;
        }
        let blank = " |".repeat(names.len());
        writeln!(f, "| geometric mean |{blank} {:.2}× |", self.lead_mean())
    }
}

fn line(outcome: &Outcome) -> String {
    let cells: Vec<_> = outcome
        .samples
        .iter()
        .map(|(_, sample)| {
            let spread = 100.0 * sample.spread();
            format!("{} ±{spread:.0} %", in_units(sample.median()))
        })
        .collect();
    let lead = lead(outcome);
    format!("| {} | {} | {lead:.2}× |", outcome.name, cells.join(" | "))
}

fn lead(outcome: &Outcome) -> f64 {
    let medians = outcome.samples.iter().map(|(_, sample)| sample.median());
    let peers = medians.clone().skip(1);
    let own = medians.clone().next().unwrap_or(f64::NAN);
    peers.fold(f64::INFINITY, f64::min) / own
}

/// A contestant with its version, as the lock file has it.
fn column(name: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let entry = format!("name = \"{name}\"\nversion = \"");
    let version = lock
        .split(&entry)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    format!("{name} {}", version.unwrap_or_default())
}

fn in_units(seconds: f64) -> String {
    let (scale, unit) = match seconds {
        s if s < 1e-6 => (1e9, "ns"),
        s if s < 1e-3 => (1e6, "µs"),
        s if s < 1.0 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    let value = seconds * scale;
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$} {unit}")
}
