//! The table: a line a workload, a column a contestant.

use std::fmt;

use crate::contest::Outcome;
use crate::line::{COLUMNS, Line};

/// All outcomes of a run, shown as a Markdown table, and what it comes to in words.
///
/// The lead is the better peer's figure divided by that of the first column, which is the one
/// the table is about: above 1 it is ahead of both.
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

    /// Adds the lines of a row, if anybody took part.
    pub(crate) fn push(&mut self, outcome: &Outcome) {
        if !outcome.samples.is_empty() {
            self.lines.extend(Line::all(outcome));
        }
    }

    /// The names of the lines that the README shows.
    pub(crate) fn in_readme(&self) -> Vec<&str> {
        let lines = self.lines.iter().filter(|line| line.in_readme);
        lines.map(|line| line.name.as_str()).collect()
    }

    fn lead_mean(&self) -> f64 {
        let leads: Vec<f64> = self.lines.iter().filter_map(Line::lead).collect();
        let logs: f64 = leads.iter().map(|lead| lead.ln()).sum();
        (logs / leads.len() as f64).exp()
    }

    /// Where the first column is behind, which targets it misses, and which it keeps.
    fn verdict(&self) -> [(&'static str, Vec<String>); 3] {
        let promises = self.lines.iter().filter_map(Line::promise);
        let (kept, missed): (Vec<_>, Vec<_>) = promises.partition(|(is_kept, _)| *is_kept);
        let said = |promises: Vec<(bool, String)>| promises.into_iter().map(|it| it.1).collect();
        [
            (
                "Behind",
                self.lines.iter().filter_map(Line::behind).collect(),
            ),
            ("Targets missed", said(missed)),
            ("Targets kept", said(kept)),
        ]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            return writeln!(f, "no workload of that name");
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
        for (what, which) in self.verdict() {
            match which.as_slice() {
                [] => writeln!(f, "\n{what}: none.")?,
                which => writeln!(f, "\n{what}:\n\n- {}", which.join("\n- "))?,
            }
        }
        Ok(())
    }
}

/// A contestant with its version, as the lock file has it.
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
