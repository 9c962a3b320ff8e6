//! The table, with one line for each subject.

use std::fmt;

/// The cost of a subject in both versions.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) native: f64,
    pub(crate) machine: f64,
    /// The larger of the two spreads. `None` for costs that do not vary.
    pub(crate) spread: Option<f64>,
}

impl Line {
    pub(crate) fn ratio(&self) -> f64 {
        self.machine / self.native
    }
}

/// All lines, printed as Markdown. A ratio above 1 means that the machine costs more.
pub(crate) struct Table {
    /// The unit of the numbers.
    unit: &'static str,
    pub(crate) lines: Vec<Line>,
}

impl Table {
    pub(crate) fn new(unit: &'static str) -> Self {
        let lines = Vec::new();
        Self { unit, lines }
    }

    pub(crate) fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    pub(crate) fn mean_ratio(&self) -> f64 {
        let logs: f64 = self.lines.iter().map(|line| line.ratio().ln()).sum();
        (logs / self.lines.len() as f64).exp()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit;
        writeln!(f, "| {unit} | compiler | machine | ratio |")?;
        writeln!(f, "| --- | ---: | ---: | ---: |")?;
        for line in &self.lines {
            let (name, ratio) = (line.name, line.ratio());
            let (native, machine) = (line.native, line.machine);
            let spread = line.spread.map(|spread| 100.0 * spread);
            let spread = spread.map_or_else(String::new, |spread| format!(" ±{spread:.0} %"));
            writeln!(
                f,
                "| {name} | {native:.0} | {machine:.0} | {ratio:.2}{spread} |"
            )?;
        }
        writeln!(f, "| geometric mean | | | {:.2} |", self.mean_ratio())
    }
}
