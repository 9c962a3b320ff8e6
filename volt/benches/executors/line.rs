//! A line of the table: the result of a row for each contestant.

use std::fmt;

use crate::contest::{Description, Outcome};
use crate::sample::Sample;
use crate::workload::{Quantile, Target, Unit};

/// The contestants with a column: volt first, and its peers. The others share the last column.
pub(crate) const COLUMNS: [&str; 3] = ["volt", "tokio", "async-executor"];

/// One figure of each contestant.
pub(crate) struct Line {
    pub(crate) name: String,
    cells: [Option<Cell>; COLUMNS.len()],
    others: Vec<(&'static str, Cell)>,
    limit: Option<Limit>,
    pub(crate) in_readme: bool,
}

struct Cell {
    figure: f64,
    bare: String,
    text: String,
}

/// The limit of the figure of the first column, and its text.
struct Limit {
    figure: f64,
    text: String,
}

impl Line {
    /// Returns the lines of a row, one for each quantile. A target and the README use the first
    /// line.
    pub(crate) fn all(outcome: &Outcome) -> impl Iterator<Item = Self> {
        let quantiles = outcome.description.shown.iter().enumerate();
        quantiles.map(|(at, quantile)| Self::new(outcome, *quantile, at == 0))
    }

    fn new(outcome: &Outcome, quantile: Quantile, is_first: bool) -> Self {
        let description = outcome.description;
        let find = |name: &str| {
            let mut samples = outcome.samples.iter();
            let (_, sample) = samples.find(|(known, _)| *known == name)?;
            Some(Cell::new(description, sample, quantile))
        };
        let others = outcome.samples.iter();
        let others = others.filter(|(name, _)| !COLUMNS.contains(name));
        let target = description.target.filter(|_| is_first);
        Self {
            name: format!("{}{}", description.name, quantile.suffix),
            cells: COLUMNS.map(find),
            others: others
                .map(|(name, sample)| (*name, Cell::new(description, sample, quantile)))
                .collect(),
            limit: target.and_then(|target| Limit::new(target, description.unit, find)),
            in_readme: is_first && description.in_readme,
        }
    }

    /// Returns the figure of the better peer divided by the figure of the first column.
    pub(crate) fn lead(&self) -> Option<f64> {
        let [own, peers @ ..] = &self.cells;
        let best = peers.iter().flatten().map(|cell| cell.figure);
        let best = best.reduce(f64::min)?;
        Some(best / own.as_ref()?.figure)
    }

    /// Returns the name and the lead, if the lead in the table is less than one.
    pub(crate) fn behind(&self) -> Option<String> {
        let lead = self.lead().filter(|lead| *lead < 0.995)?;
        Some(format!("{} {lead:.2}×", self.name))
    }

    /// Returns `true` if the figure reaches its target, and a text with the name, the figure and
    /// the target.
    pub(crate) fn target_result(&self) -> Option<(bool, String)> {
        let (limit, own) = (self.limit.as_ref()?, self.cells[0].as_ref()?);
        let text = format!("{} {} (at most {})", self.name, own.bare, limit.text);
        Some((own.figure <= limit.figure, text))
    }
}

impl Limit {
    fn new(target: Target, unit: Unit, find: impl Fn(&str) -> Option<Cell>) -> Option<Self> {
        let (figure, of) = match target {
            Target::AtMost(figure) => (figure, String::new()),
            Target::Times(times, name) => {
                let figure = times * find(name)?.figure;
                (figure, format!(", {times} × {name}"))
            }
        };
        let text = in_units(figure, unit) + &of;
        Some(Self { figure, text })
    }
}

impl Cell {
    fn new(description: Description, sample: &Sample, quantile: Quantile) -> Self {
        let figure = sample.quantile(quantile.part);
        let bare = in_units(figure, description.unit);
        let mut text = bare.clone();
        if quantile.part == 0.5 && description.unit == Unit::Seconds {
            text += &format!(" ±{:.0} %", 100.0 * sample.spread());
        }
        Self { figure, bare, text }
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
