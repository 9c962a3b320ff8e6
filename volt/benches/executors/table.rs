//! The table: a line a workload, a column a contestant.

use std::fmt;

use crate::contest::{Description, Outcome};
use crate::sample::Sample;
use crate::workload::{Quantile, Unit};

/// Who has a column: the one that the table is about, and its peers. The others share the last.
const COLUMNS: [&str; 3] = ["volt", "tokio", "async-executor"];

/// All outcomes of a run, shown as a Markdown table.
///
/// The lead is the better peer's figure divided by that of the first column, which is the one
/// the table is about: above 1 it is ahead of both.
pub(crate) struct Table {
    workers: usize,
    rounds: usize,
    lines: Vec<Line>,
}

struct Line {
    name: String,
    cells: [Option<Cell>; COLUMNS.len()],
    others: Vec<(&'static str, Cell)>,
}

struct Cell {
    figure: f64,
    text: String,
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
        if outcome.samples.is_empty() {
            return;
        }
        let shown = outcome.description.shown.iter();
        self.lines.extend(shown.map(|it| Line::new(outcome, *it)));
    }

    fn lead_mean(&self) -> f64 {
        let leads: Vec<f64> = self.lines.iter().filter_map(Line::lead).collect();
        let logs: f64 = leads.iter().map(|lead| lead.ln()).sum();
        (logs / leads.len() as f64).exp()
    }
}

impl Line {
    fn new(outcome: &Outcome, quantile: Quantile) -> Self {
        let description = outcome.description;
        let find = |name: &str| {
            let mut samples = outcome.samples.iter();
            let (_, sample) = samples.find(|(known, _)| *known == name)?;
            Some(Cell::new(description, sample, quantile))
        };
        let others = outcome.samples.iter();
        let others = others.filter(|(name, _)| !COLUMNS.contains(name));
        Self {
            name: format!("{}{}", description.name, quantile.suffix),
            cells: COLUMNS.map(find),
            others: others
                .map(|(name, sample)| (*name, Cell::new(description, sample, quantile)))
                .collect(),
        }
    }

    fn lead(&self) -> Option<f64> {
        let [own, peers @ ..] = &self.cells;
        let best = peers.iter().flatten().map(|cell| cell.figure);
        let best = best.reduce(f64::min)?;
        Some(best / own.as_ref()?.figure)
    }
}

impl Cell {
    fn new(description: Description, sample: &Sample, quantile: Quantile) -> Self {
        let figure = sample.quantile(quantile.part);
        let mut text = in_units(figure, description.unit);
        if quantile.part == 0.5 && description.unit == Unit::Seconds {
            text += &format!(" ±{:.0} %", 100.0 * sample.spread());
        }
        Self { figure, text }
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
            "{} workers, {cores} cores, {} rounds: median ± half the distance of the quartiles\n",
            self.workers, self.rounds
        )?;
        let names = COLUMNS.map(column).join(" | ");
        writeln!(f, "| workload | {names} | others | lead |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | --- | ---: |")?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        let mean = self.lead_mean();
        writeln!(f, "| geometric mean | | | | | {mean:.2}× |")
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            |cell: &Option<Cell>| cell.as_ref().map_or("–".into(), |cell| cell.text.clone());
        let cells = self.cells.each_ref().map(text).join(" | ");
        let others = self.others.iter();
        let others: Vec<_> = others
            .map(|(name, cell)| format!("{name} {}", cell.text))
            .collect();
        let lead = self.lead().map_or("–".into(), |lead| format!("{lead:.2}×"));
        write!(
            f,
            "| {} | {cells} | {} | {lead} |",
            self.name,
            others.join(", ")
        )
    }
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

fn in_units(figure: f64, unit: Unit) -> String {
    let (scale, unit) = match unit {
        Unit::Bytes => (1.0, " B"),
        Unit::Pieces => (1.0, ""),
        Unit::Seconds => match figure {
            s if s < 1e-6 => (1e9, " ns"),
            s if s < 1e-3 => (1e6, " µs"),
            s if s < 1.0 => (1e3, " ms"),
            _ => (1.0, " s"),
        },
    };
    let value = figure * scale;
    let digits = match value {
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$}{unit}")
}
