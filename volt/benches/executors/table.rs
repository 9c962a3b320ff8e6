//! The table: a line for each workload, a column for each contestant.

use std::fmt;

use crate::contest::Outcome;
use crate::line::{COLUMNS, Line};

/// All outcomes of a run, printed as a Markdown table and a summary.
///
/// The lead is the figure of the better peer divided by the figure of the first column, which is
/// volt. Above 1, volt is faster than both.
pub(crate) struct Table {
    workers: usize,
    rounds: usize,
    lines: Vec<Line>,
}

impl Table {
    pub(crate) fn new(workers: usize, rounds: usize) -> Self {
        Self {
            workers,
            rounds,
            lines: Vec::new(),
        }
    }

    /// Adds the lines of a row, if it has samples.
    pub(crate) fn push(&mut self, outcome: &Outcome) {
        if !outcome.samples.is_empty() {
            self.lines.extend(Line::all(outcome));
        }
    }

    /// Returns the names of the lines for the README.
    pub(crate) fn in_readme(&self) -> Vec<&str> {
        let lines = self.lines.iter().filter(|line| line.in_readme);
        lines.map(|line| line.name.as_str()).collect()
    }

    fn lead_mean(&self) -> f64 {
        let leads: Vec<f64> = self.lines.iter().filter_map(Line::lead).collect();
        let logs: f64 = leads.iter().map(|lead| lead.ln()).sum();
        (logs / leads.len() as f64).exp()
    }

    /// Returns the rows in which volt is slower, the missed targets and the reached targets.
    fn verdict(&self) -> [(&'static str, Vec<String>); 3] {
        let results = self.lines.iter().filter_map(Line::target_result);
        let (kept, missed): (Vec<_>, Vec<_>) = results.partition(|(is_kept, _)| *is_kept);
        let texts =
            |results: Vec<(bool, String)>| results.into_iter().map(|result| result.1).collect();
        [
            (
                "Behind",
                self.lines.iter().filter_map(Line::behind).collect(),
            ),
            ("Targets missed", texts(missed)),
            ("Targets kept", texts(kept)),
        ]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            return writeln!(f, "no workload has this name");
        }
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        writeln!(
            f,
            "{} workers, {cores} cores, {} rounds: median ± half the interquartile range\n",
            self.workers, self.rounds
        )?;
        let names = COLUMNS.map(column).join(" | ");
        writeln!(f, "| workload | {names} | others | lead |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | --- | ---: |")?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        if self.lines.iter().any(|line| line.lead().is_some()) {
            let mean = self.lead_mean();
            writeln!(f, "| geometric mean | | | | | {mean:.2}× |")?;
        }
        for (title, rows) in self.verdict() {
            match rows.as_slice() {
                [] => writeln!(f, "\n{title}: none.")?,
                rows => writeln!(f, "\n{title}:\n\n- {}", rows.join("\n- "))?,
            }
        }
        Ok(())
    }
}

/// Returns a contestant with its version from the lock file.
fn column(name: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let package = if name == "volt" { "volt-async" } else { name };
    let entry = format!("name = \"{package}\"\nversion = \"");
    let version = lock
        .split(&entry)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    format!("{name} {}", version.unwrap_or_default())
}
